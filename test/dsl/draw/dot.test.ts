import { instance } from '@viz-js/viz'
import fc from 'fast-check'
import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, test } from 'vitest'
import {
  type AnyTensor,
  build,
  exp,
  f32,
  madeLeaves,
  mul,
  operandsOf,
  program,
  rootsOf,
  select,
  less,
  sizes,
  stopGradient,
  sub,
  sum,
  toDot,
  topological,
} from '../../../dsl/index.js'
import { law } from '../../law.js'
import { anyProgram } from '../../programs/index.js'
import { svgTexts } from '../../svg.js'

const viz = await instance()

const svgOf = (dot: string): string => viz.renderString(dot, { format: 'svg' })

const weighted = () =>
  program({
    inputs: { logProbs: f32('batch', 'time'), old: f32({ batch: sizes.sizeOf('batch'), time: 8 }), advantages: f32('batch') },
    body: ({ logProbs, old, advantages }) => {
      const ratio = exp(sub(logProbs, stopGradient(old)))
      return { outputs: { loss: pipe(mul(select(less(ratio, 1), ratio, -0), advantages), sum('batch', 'time')), one: mul(1, 1) } }
    },
  })

test('a small loss', () => {
  expect(toDot(madeLeaves(weighted()))).toMatchInlineSnapshot(`
    "digraph {
      graph [rankdir=TB nslimit=2 bgcolor="#ffffff" pad=0.3 nodesep=0.25 ranksep=0.4 labelloc=b fontname="Courier" fontsize=10]
      node [shape=box style="rounded,filled" penwidth=1 height=0.3 margin="0.12,0.06" fontname="Courier" fontsize=10 fontcolor="#111827"]
      edge [color="#9ca3af" arrowsize=0.6 fontname="Courier" fontsize=8 fontcolor="#6b7280"]
      label=<<table border="0" cellborder="1" cellspacing="6" cellpadding="4"><tr><td bgcolor="#dbeafe" color="#3b82f6" style="rounded"><font point-size="8" color="#374151">input</font></td><td bgcolor="#fef9c3" color="#ca8a04" style="rounded"><font point-size="8" color="#374151">pointwise</font></td><td bgcolor="#dcfce7" color="#16a34a" style="rounded"><font point-size="8" color="#374151">reduction</font></td><td bgcolor="#fee2e2" color="#dc2626" style="rounded"><font point-size="8" color="#374151">stop</font></td><td bgcolor="#1f2937" color="#1f2937" style="rounded"><font point-size="8" color="#ffffff">output</font></td></tr></table>>
      n0 [label=<inputs.logProbs<br/><font point-size="8" color="#6b7280">f32[batch, time]</font>> class="input" fillcolor="#dbeafe" color="#3b82f6"]
      n1 [label=<inputs.old<br/><font point-size="8" color="#6b7280">f32[batch, time: 8]</font>> class="input" fillcolor="#dbeafe" color="#3b82f6"]
      n2 [label=<stopGradient<br/><font point-size="8" color="#6b7280">f32[batch, time: 8]</font>> class="stop" fillcolor="#fee2e2" color="#dc2626"]
      n3 [label=<<table border="0" cellspacing="0" cellpadding="1"><tr><td port="p0"><font point-size="8" color="#6b7280">x</font></td><td port="p1"><font point-size="8" color="#6b7280">− y</font></td></tr><tr><td colspan="2">sub</td></tr><tr><td colspan="2"><font point-size="8" color="#6b7280">f32[batch, time]</font></td></tr></table>> class="pointwise" fillcolor="#fef9c3" color="#ca8a04"]
      n4 [label=<exp<br/><font point-size="8" color="#6b7280">f32[batch, time]</font>> class="pointwise" fillcolor="#fef9c3" color="#ca8a04"]
      n6 [label=<less(·, 1)<br/><font point-size="8" color="#6b7280">bool[batch, time]</font>> class="pointwise" fillcolor="#fef9c3" color="#ca8a04"]
      n8 [label=<<table border="0" cellspacing="0" cellpadding="1"><tr><td port="p0"><font point-size="8" color="#6b7280">if</font></td><td port="p1"><font point-size="8" color="#6b7280">then</font></td></tr><tr><td colspan="2">select(·, ·, -0)</td></tr><tr><td colspan="2"><font point-size="8" color="#6b7280">f32[batch, time]</font></td></tr></table>> class="pointwise" fillcolor="#fef9c3" color="#ca8a04"]
      n9 [label=<inputs.advantages<br/><font point-size="8" color="#6b7280">f32[batch]</font>> class="input" fillcolor="#dbeafe" color="#3b82f6"]
      n10 [label=<mul<br/><font point-size="8" color="#6b7280">f32[batch, time]</font>> class="pointwise" fillcolor="#fef9c3" color="#ca8a04"]
      n11 [label=<sum(batch, time)<br/><font point-size="8" color="#6b7280">f32</font>> class="reduction" fillcolor="#dcfce7" color="#16a34a"]
      n12 [label=<mul(1, 1)<br/><font point-size="8" color="#6b7280">f32</font>> class="pointwise" fillcolor="#fef9c3" color="#ca8a04"]
      out0 [label=<outputs.loss> class="output" fillcolor="#1f2937" color="#1f2937" fontcolor="#ffffff"]
      out1 [label=<outputs.one> class="output" fillcolor="#1f2937" color="#1f2937" fontcolor="#ffffff"]
      n1 -> n2
      n0 -> n3:p0:n
      n2 -> n3:p1:n
      n3 -> n4
      n4 -> n6
      n6 -> n8:p0:n
      n4 -> n8:p1:n
      n8 -> n10
      n9 -> n10
      n10 -> n11
      n11 -> out0
      n12 -> out1
    }
    "
  `)
})

test('equal programs have equal drawings', () => {
  expect(toDot(madeLeaves(weighted()))).toBe(toDot(madeLeaves(weighted())))
})

const count = (n: readonly number[]): number => n.reduce((sum, own) => sum + own, 0)

law(
  'Graphviz reads the drawing of any program, and finds in it every node that is no number, every operand that is none, and every result',
  fc.property(anyProgram, ({ program: p }) => {
    const roots = madeLeaves(p)
    const order = topological(rootsOf(p))
    const isRoot = new Set(rootsOf(p).map(({ node }) => node))
    const isNumber = ({ node }: AnyTensor): boolean => node.tag === 'constant'
    // Numbers that are results are drawn, too.
    const nodes = order.filter((x) => !isNumber(x) || isRoot.has(x.node)).length
    const operands = count(order.map(({ node }) => operandsOf(node).filter((x) => !isNumber(x)).length))
    const { objects = [], edges = [] } = viz.renderJSON(toDot(roots), { engine: 'nop2' }) as Readonly<Record<string, readonly unknown[]>>
    return objects.length === nodes + roots.length && edges.length === operands + roots.length
  }),
  { runs: 30 },
)

describe('any name of an axis is drawn as it is printed', () => {
  const names = [
    '"',
    '\\',
    '\\N',
    '\n',
    '<b>',
    '</td>',
    '&lt;',
    '&#60;',
    ']}',
    ' ',
    '',
    '2',
    '∂embed',
    '时间',
    '🪓',
    '\u0000',
    '\ud800',
    '\uffff',
    '--',
    '->',
    'node',
  ]
  const drawn = (x: AnyTensor): readonly string[] => svgTexts(svgOf(toDot([{ path: 'y', value: x }])))

  test.each(names)('%j', (name) => {
    const x = build.input(`inputs.${name}`, 'f32', [{ name, size: sizes.literal(3) }])
    const quoted = /^[\p{L}\p{N}_∂]+$/u.test(name) ? name : JSON.stringify(name)
    const spelt = quoted.replace('\uffff', '\\uffff')
    expect(drawn(build.sum(name)(x))).toEqual(expect.arrayContaining([`sum(${spelt})`, `f32[${spelt}: 3]`, 'f32', 'y']))
  })
})
