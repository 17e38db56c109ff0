/**
 * The size of an axis: an integer polynomial in size variables (one for each open axis) and opaque quotients ⌊p/c⌋.
 * Sizes are kept in one normal form, so two sizes that are equal as polynomials have equal `text`.
 * Every variable stands for a number ≥ 0.
 */
export interface Size {
  readonly terms: readonly Term[]
  readonly text: string
}

/** coefficient · Π atoms, the atoms sorted by text; the constant term has no atoms. */
export interface Term {
  readonly coefficient: number
  readonly atoms: readonly Atom[]
}

export type Atom =
  | { readonly tag: 'variable'; readonly name: string }
  /** ⌊of/by⌋ with a literal `by` ≥ 2 that does not divide every coefficient of `of`. */
  | { readonly tag: 'quotient'; readonly of: Size; readonly by: number }

/** Whether two sizes are the same: surely, surely not, or only to be known once sizes are bound. */
export type Comparison = 'equal' | 'different' | 'undecided'

/** A name that could be taken for a number, a product or nothing at all is quoted. */
const variableText = (name: string): string => (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : JSON.stringify(name))

const atomText = (atom: Atom): string => (atom.tag === 'variable' ? variableText(atom.name) : `⌊(${atom.of.text})/${String(atom.by)}⌋`)

const monomialText = (atoms: readonly Atom[]): string => atoms.map(atomText).join('·')

const compareText = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

const byDegree = (a: Term, b: Term): number => b.atoms.length - a.atoms.length || compareText(monomialText(a.atoms), monomialText(b.atoms))

const termText = ({ coefficient, atoms }: Term): string => {
  const magnitude = Math.abs(coefficient)
  if (atoms.length === 0) return String(magnitude)
  return magnitude === 1 ? monomialText(atoms) : `${String(magnitude)}·${monomialText(atoms)}`
}

const sumText = (terms: readonly Term[]): string =>
  terms.length === 0
    ? '0'
    : terms.map((term, i) => (i === 0 ? (term.coefficient < 0 ? '−' : '') : term.coefficient < 0 ? ' − ' : ' + ') + termText(term)).join('')

const normal = (terms: readonly Term[]): Size => {
  const collected = new Map<string, Term>()
  for (const term of terms) {
    const text = monomialText(term.atoms)
    collected.set(text, { coefficient: term.coefficient + (collected.get(text)?.coefficient ?? 0), atoms: term.atoms })
  }
  const kept = [...collected.values()].filter(({ coefficient }) => coefficient !== 0).sort(byDegree)
  return { terms: kept, text: sumText(kept) }
}

const atom = (a: Atom): Size => normal([{ coefficient: 1, atoms: [a] }])

/** A size that is known. */
export const literal = (n: number): Size => normal([{ coefficient: n, atoms: [] }])

/** The size variable of an open axis, by the axis's name: `minus(sizeOf('time'), 1)`. */
export const sizeOf = (axis: string): Size => atom({ tag: 'variable', name: axis })

export const toSize = (size: Size | number): Size => (typeof size === 'number' ? literal(size) : size)

export const plus = (p: Size | number, q: Size | number): Size => normal([...toSize(p).terms, ...toSize(q).terms])

export const scale = (p: Size, factor: number): Size =>
  normal(p.terms.map(({ coefficient, atoms }) => ({ coefficient: coefficient * factor, atoms })))

export const minus = (p: Size | number, q: Size | number): Size => plus(p, scale(toSize(q), -1))

export const times = (p: Size | number, q: Size | number): Size =>
  normal(
    toSize(p).terms.flatMap((a) =>
      toSize(q).terms.map((b) => ({
        coefficient: a.coefficient * b.coefficient,
        atoms: [...a.atoms, ...b.atoms].sort((x, y) => compareText(atomText(x), atomText(y))),
      })),
    ),
  )

export const product = (sizes: readonly (Size | number)[]): Size => sizes.reduce<Size>((p, q) => times(p, q), literal(1))

/** ⌊p/by⌋. What `by` divides leaves the brackets: ⌊(4·n + 2)/4⌋ = n + ⌊2/4⌋ = n. */
export const quotient = (p: Size, by: number): Size => {
  const whole = normal(p.terms.filter(({ coefficient }) => coefficient % by === 0))
  const rest = minus(p, whole)
  // Not scaled by 1/by: 49·(1/49) is less than 1.
  const share = normal(whole.terms.map(({ coefficient, atoms }) => ({ coefficient: coefficient / by, atoms })))
  return plus(share, isLiteral(rest) ? literal(Math.floor(valueOf(rest) / by)) : atom({ tag: 'quotient', of: rest, by }))
}

/** Whether every coefficient is a whole number, as those of every size are. */
export const isWhole = (size: Size): boolean => size.terms.every(({ coefficient }) => Number.isInteger(coefficient))

export const isLiteral = (size: Size): boolean => size.terms.every(({ atoms }) => atoms.length === 0)

const valueOf = (size: Size): number => size.terms[0]?.coefficient ?? 0

/** The number, where the size is known without binding anything. */
export const known = (size: Size): number | undefined => (isLiteral(size) ? valueOf(size) : undefined)

/** A quotient of what may be negative may be so too: ⌊(time − 9)/2⌋ where time is 3. */
const isNonNegativeAtom = (a: Atom): boolean => a.tag === 'variable' || surelyNonNegative(a.of)

/** p ≥ 0, whatever the variables are. */
export const surelyNonNegative = (p: Size): boolean =>
  p.terms.every(({ coefficient, atoms }) => coefficient > 0 && atoms.every(isNonNegativeAtom))

/** p > 0, whatever the variables are: no negative term, and a constant one. */
export const surelyPositive = (p: Size): boolean => surelyNonNegative(p) && p.terms.some(({ atoms }) => atoms.length === 0)

export const surelyNegative = (p: Size): boolean => surelyPositive(scale(p, -1))

export const compareSizes = (p: Size, q: Size): Comparison => {
  const difference = minus(p, q)
  if (difference.terms.length === 0) return 'equal'
  return surelyPositive(difference) || surelyNegative(difference) ? 'different' : 'undecided'
}

/** The number that a size is once the variables are bound; undefined where one of them is not. */
export const evaluateSize = (size: Size, bound: ReadonlyMap<string, number>): number | undefined => {
  let sum = 0
  for (const { coefficient, atoms } of size.terms) {
    let value = coefficient
    for (const a of atoms) {
      const factor = evaluateAtom(a, bound)
      if (factor === undefined) return undefined
      value *= factor
    }
    sum += value
  }
  return sum
}

const evaluateAtom = (a: Atom, bound: ReadonlyMap<string, number>): number | undefined => {
  if (a.tag === 'variable') return bound.get(a.name)
  const of = evaluateSize(a.of, bound)
  return of === undefined ? undefined : Math.floor(of / a.by)
}

/** The name of the variable, where the size is one variable and nothing else: such an axis binds it. */
export const asVariable = (size: Size): string | undefined => {
  const [term, ...others] = size.terms
  const [only, ...more] = term?.atoms ?? []
  return term?.coefficient === 1 && others.length === 0 && more.length === 0 && only?.tag === 'variable' ? only.name : undefined
}

/** The variables that a size mentions, in the order of its text. */
export const variablesOf = (size: Size): readonly string[] =>
  size.terms.flatMap(({ atoms }) => atoms.flatMap((a) => (a.tag === 'variable' ? [a.name] : variablesOf(a.of))))
