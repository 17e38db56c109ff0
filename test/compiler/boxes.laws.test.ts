import fc from 'fast-check'
import { kernelBoxes, plan } from '../../compiler/index.js'
import { type Node, nodeLabel, operandsOf, typeText } from '../../dsl/index.js'
import { law } from '../law.js'
import { anyProgram } from '../programs/index.js'
import { right } from '../right.js'

law(
  'each dispatch has a box of what its kernel computes: it reads what is given and what earlier boxes make, and nothing else',
  fc.property(anyProgram, ({ program }) => {
    const made = right(plan(program))
    const { roots, boxes } = kernelBoxes(program, made)
    const dispatches = made.commands.flatMap((command) => (command.tag === 'dispatch' ? [command] : []))
    const known = new Set<Node>()
    const sound = boxes.map(({ title, nodes, makes }, i) => {
      const { kernel, makes: says } = dispatches[i]!
      const own = new Set(nodes.map(({ node }) => node))
      const reads = nodes.flatMap(({ node }) => operandsOf(node)).filter(({ node }) => !own.has(node))
      const fits = reads.every(({ node }) => node.tag === 'input' || known.has(node))
      for (const { node } of makes) known.add(node)
      return (
        fits &&
        makes.every(({ node }) => own.has(node)) &&
        says.map(({ what }) => what).join() === makes.map((x) => `${nodeLabel(x.node)} ${typeText(x)}`).join() &&
        title === `kernel ${String(i)}: ${made.kernels[kernel]!.name}`
      )
    })
    return boxes.length === dispatches.length && sound.every(Boolean) && roots.every(({ value }) => known.has(value.node))
  }),
)
