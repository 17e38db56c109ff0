import { pipe } from 'fp-ts/lib/function.js'
import { maskedSum, where } from '../../dsl/index.js'
import { type Aggregation, isCount, rowMeanTokenMean } from '../aggregate.js'
import { gmpoLoss } from '../gmpo.js'
import { gspoLoss } from '../gspo.js'
import { hasTokens } from '../preference/pairs.js'
import { rlooLoss } from '../rloo.js'
import { vespoLoss } from '../vespo.js'
import { entry } from './entry.js'
import { policyInputs, surrogateInputs, tokenInputs } from './inputs.js'

const clip = { low: 3e-4, high: 4e-4 }

/** The mean over rows of the row's sum. */
const rowMeanTokenSum: Aggregation = { within: 1, across: { count: 'rows' } }

/** Losses of the ratio of a whole response. */
export const responseLosses = {
  gspo: entry({ inputs: policyInputs, loss: (of) => gspoLoss({ clip, level: 'sequence', beta: 0.04, aggregation: of(rowMeanTokenMean) }) }),
  gspoToken: entry({
    inputs: tokenInputs,
    loss: (of) => gspoLoss({ clip, level: 'token', ceiling: 10, beta: 0, aggregation: of(rowMeanTokenMean) })<'batch' | 'time'>,
  }),
  luspo: entry({ inputs: surrogateInputs, loss: (of) => gspoLoss({ clip, level: 'sequence', beta: 0, aggregation: of(rowMeanTokenSum) }) }),
  gmpo: entry({ inputs: surrogateInputs, loss: (of) => gmpoLoss({ clip: { low: 0.4, high: 0.4 }, aggregation: of(rowMeanTokenMean) }) }),
  vespo: entry({
    inputs: surrogateInputs,
    loss: (of) => vespoLoss({ positive: { k: 2, lambda: 3 }, negative: { k: 3, lambda: 2 }, beta: 0, aggregation: of(rowMeanTokenMean) }),
  }),
  /** A row without a token has no say. */
  rloo: entry({
    inputs: surrogateInputs,
    loss:
      (of) =>
      ({ logProbs, oldLogProbs, advantages, responseMask }) => {
        const response = maskedSum(responseMask, 'time')
        const { across } = of(rowMeanTokenSum)
        return rlooLoss({ clip: { low: 0.2, high: 0.2 }, ...(isCount(across) ? {} : { across }) })({
          logProbs: pipe(logProbs, response),
          oldLogProbs: pipe(oldLogProbs, response),
          advantages: pipe(advantages, where(hasTokens(responseMask))),
        })
      },
  }),
}
