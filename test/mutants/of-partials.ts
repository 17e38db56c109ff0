import { type Partial, type Partials, partials, rulesFrom } from '../../autodiff/index.js'
import { type AnyTensor, build, type ScalarOp, scalarOps } from '../../dsl/index.js'
import { doubled, type Kind, negated, stopped } from './mistake.js'
import type { Mutant } from './mutant.js'
import { type Formula, mistaken, type Site, sitesOf } from './sites.js'

type Change = (partial: Partial, operandsAndResult: readonly AnyTensor[]) => Partial

/** The row with one operand's partial derivative changed. */
const changedPartial =
  (op: ScalarOp, i: number, change: Change): Partials =>
  (...operandsAndResult) =>
    partials[op](...operandsAndResult).map((partial, k) => (k === i ? change(partial, operandsAndResult) : partial))

const after =
  (f: (share: AnyTensor) => AnyTensor) =>
  (partial: Partial): Partial =>
    partial === 'none' ? 'none' : (t) => f(partial(t))

const formulaOf = (made: AnyTensor, t: AnyTensor, operandsAndResult: readonly AnyTensor[]): Formula => ({
  roots: [made],
  given: new Set([t.node, ...operandsAndResult.map(({ node }) => node)]),
  carriers: new Set([t.node]),
})

const mistakenPartial =
  (site: Site): Change =>
  (partial, operandsAndResult) =>
    partial === 'none' ? 'none' : (t) => mistaken(formulaOf(partial(t), t, operandsAndResult), site)[0]!

const specimen = (op: ScalarOp): readonly AnyTensor[] => {
  const operands = Array.from({ length: scalarOps[op].arity }, (_, i) =>
    op === 'select' && i === 0 ? build.input('condition', 'bool', []) : build.input(`x${String(i)}`, 'f32', []),
  )
  return [...operands, build.map(op, ...operands)]
}

/** Partial derivatives of a scalar operation, wrong in both modes alike, so that only differences tell. */
export const mutantsOfPartials = (op: ScalarOp): readonly Mutant[] => {
  const operandsAndResult = specimen(op)
  if (operandsAndResult.at(-1)?.dtype !== 'f32' || operandsAndResult.at(-1)?.node.tag === 'invalid') return []
  const row = partials[op](...operandsAndResult)
  const t = build.input('t', 'f32', [])
  const mutant = (kind: Kind, what: string, made: Partials): Mutant => ({
    kind,
    what,
    rules: rulesFrom({ ...partials, [op]: made }),
  })
  return row.flatMap((partial, i): readonly Mutant[] => {
    const by = `by operand ${String(i + 1)}`
    if (operandsAndResult[i]?.dtype !== 'f32') return []
    const changed = (kind: Kind, what: string, change: Change): Mutant => mutant(kind, `${what} ${by}`, changedPartial(op, i, change))
    if (partial === 'none') return [changed('added', 'the derivative', () => (share) => share)]
    return [
      changed('dropped', 'the derivative', () => 'none'),
      changed('negated', 'the derivative', after(negated)),
      changed('doubled', 'the derivative', after(doubled)),
      changed('stopped', 'the derivative', after(stopped)),
      ...row.flatMap((other, j) =>
        j > i && other !== 'none' && other !== partial
          ? [
              mutant('swapped', `the derivatives by operands ${String(i + 1)} and ${String(j + 1)}`, (...given) =>
                partials[op](...given).map((own, k, all) => (k === i ? all[j]! : k === j ? all[i]! : own)),
              ),
            ]
          : [],
      ),
      ...sitesOf(formulaOf(partial(t), t, operandsAndResult)).map((site) =>
        changed(site.kind, `${site.what} at ${site.place}`, mistakenPartial(site)),
      ),
    ]
  })
}
