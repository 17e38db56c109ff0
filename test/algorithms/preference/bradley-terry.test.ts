import fc from 'fast-check'
import { grad } from '../../../autodiff/index.js'
import { bradleyTerryLoss, type Pair } from '../../../algorithms/index.js'
import { add, f32, type Tensor } from '../../../dsl/index.js'
import { law } from '../../law.js'
import { close, run } from '../batches.js'
import { logSigmoid, mean, sigmoid } from './plain.js'

const specs = { chosen: f32('batch'), rejected: f32('batch'), shift: f32('batch') }

const anyScores = fc.array(fc.tuple(...['chosen', 'rejected', 'shift'].map(() => fc.integer({ min: -80, max: 80 }).map((n) => n / 10))), {
  minLength: 1,
  maxLength: 6,
})

const pulls = (scores: Pair<Tensor<'batch'>>) => {
  const { chosen, rejected } = grad(bradleyTerryLoss)(scores)
  return { raised: chosen, lowered: rejected }
}

law(
  'Bradley and Terry: the mean of −log σ of the margins, whatever both of a pair share; what was chosen is raised by what it lacks of certainty',
  fc.property(anyScores, (pairs) => {
    const column = (at: number) => ({ sizes: [pairs.length], data: pairs.map((pair) => pair[at]!) })
    const values = { chosen: column(0), rejected: column(1), shift: column(2) }
    const { loss, shifted, raised, lowered } = run(specs, values, ({ chosen, rejected, shift }) => ({
      loss: bradleyTerryLoss({ chosen, rejected }),
      shifted: bradleyTerryLoss({ chosen: add(chosen, shift), rejected: add(rejected, shift) }),
      ...pulls({ chosen, rejected }),
    }))
    const margins = pairs.map(([chosen, rejected]) => chosen! - rejected!)
    return (
      close(loss.data[0]!, mean(margins.map((m) => -logSigmoid(m)))) &&
      close(shifted.data[0]!, loss.data[0]!) &&
      margins.every((m, i) => close(raised.data[i]!, -sigmoid(-m) / pairs.length)) &&
      margins.every((_, i) => close(lowered.data[i]!, -raised.data[i]!))
    )
  }),
)
