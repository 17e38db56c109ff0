import { expect, test } from 'vitest'
import { catalogue } from '../../algorithms/index.js'
import { lossProgram } from '../../dsl/index.js'
import { gradientFlow, renderFlow } from '../../verify/index.js'

/** Without lines, which change with whatever is written above them. */
const table = Object.entries(catalogue)
  .map(([name, { loss, rowSeparable, paddingInvariant }]) => {
    const declared = [rowSeparable ? 'rows separable' : 'rows coupled', paddingInvariant ? 'padding invariant' : 'depends on padding']
    return `${name}: ${declared.join(', ')}\n${renderFlow(gradientFlow(lossProgram(loss))).replace(/\.ts:\d+:\d+/g, '.ts')}\n`
  })
  .join('\n')

// After a change that is meant: npx vitest run test/algorithms/gradient-flow.test.ts --update
test('where the gradient of each loss flows is as it was', async () => {
  await expect(table).toMatchFileSnapshot('gradient-flow.txt')
})
