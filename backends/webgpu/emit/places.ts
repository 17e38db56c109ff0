import { type Expr, printExpr, type Statement } from '../../../compiler/index.js'

/** What is known of a kernel's places in memory. */
export interface Known {
  /** The value of each `let`. */
  readonly lets: ReadonlyMap<string, Expr>
  /** For each parameter, a number that divides whatever it holds. */
  readonly multiples: readonly number[]
}

interface Monomial {
  readonly coefficient: number
  /** Sorted. */
  readonly atoms: readonly string[]
}

/** A place as a polynomial in what is not known, by the text of each product. */
type Polynomial = ReadonlyMap<string, Monomial>

const collected = (monomials: readonly Monomial[]): Polynomial => {
  const sum = new Map<string, Monomial>()
  for (const { coefficient, atoms } of monomials) {
    const text = atoms.join('·')
    sum.set(text, { coefficient: coefficient + (sum.get(text)?.coefficient ?? 0), atoms })
  }
  return sum
}

const scaled = (p: Polynomial, by: number): readonly Monomial[] =>
  [...p.values()].map(({ coefficient, atoms }) => ({ coefficient: by * coefficient, atoms }))

const product = (p: Polynomial, q: Polynomial): readonly Monomial[] =>
  [...p.values()].flatMap((a) =>
    [...q.values()].map((b) => ({ coefficient: a.coefficient * b.coefficient, atoms: [...a.atoms, ...b.atoms].toSorted() })),
  )

const constant = (value: number): Polynomial => collected([{ coefficient: value, atoms: [] }])

const polynomialOf = (e: Expr, known: Known): Polynomial => {
  const value = e.tag === 'variable' ? known.lets.get(e.name) : undefined
  if (value !== undefined) return polynomialOf(value, known)
  if (e.tag === 'literal') return constant(e.value)
  const [x, y] = e.tag === 'op' && (e.op === 'add' || e.op === 'sub' || e.op === 'mul') ? e.operands : []
  if (e.tag !== 'op' || x === undefined || y === undefined) return collected([{ coefficient: 1, atoms: [printExpr(e)] }])
  const [p, q] = [polynomialOf(x, known), polynomialOf(y, known)]
  if (e.op === 'mul') return collected(product(p, q))
  return collected([...p.values(), ...scaled(q, e.op === 'add' ? 1 : -1)])
}

/** A place in memory: how far it is from one that may lie at a multiple of four, and what names that one. */
export interface PlaceInMemory {
  readonly base: string
  readonly offset: number
  readonly isAligned: boolean
}

export const placeInMemory = (at: Expr, known: Known): PlaceInMemory => {
  const terms = [...polynomialOf(at, known).values()].filter(({ coefficient }) => coefficient !== 0)
  const far = terms.filter(({ atoms }) => atoms.length > 0).map(({ coefficient, atoms }) => ({ text: atoms.join('·'), coefficient, atoms }))
  const multiple = (atom: string): number => (/^p\d+$/.test(atom) ? (known.multiples[Number(atom.slice(1))] ?? 1) : 1)
  return {
    base: far
      .map(({ text, coefficient }) => `${String(coefficient)}·${text}`)
      .toSorted()
      .join(' + '),
    offset: terms.find(({ atoms }) => atoms.length === 0)?.coefficient ?? 0,
    isAligned: far.every(({ coefficient, atoms }) => atoms.reduce((all, atom) => all * multiple(atom), coefficient) % 4 === 0),
  }
}

/** The value of each `let` of a kernel's body: no two have one name. */
export const letsOf = (body: readonly Statement[]): ReadonlyMap<string, Expr> =>
  new Map(
    body.flatMap((s): readonly (readonly [string, Expr])[] =>
      s.tag === 'let' ? [[s.name, s.value]] : s.tag === 'for' || s.tag === 'if' ? [...letsOf(s.body)] : [],
    ),
  )
