/** Few digits, and as many for a small number. */
export const short = (x: number): string => {
  const size = Math.abs(x)
  const text = x !== 0 && (size < 1e-3 || size >= 1e6) ? Number(size.toPrecision(2)).toExponential() : String(Number(size.toPrecision(3)))
  return x < 0 ? `−${text}` : text
}
