/** The n-th permutation of a list, n from 0 below its length's factorial, and round again: each digit of n in the factorial system picks one of those left. */
export const permuted = <T>(list: readonly T[], n: number): readonly T[] => {
  const left = [...list]
  const picked: T[] = []
  for (let rest = n; left.length > 0;) {
    const at = rest % left.length
    rest = Math.floor(rest / left.length)
    picked.push(...left.splice(at, 1))
  }
  return picked
}
