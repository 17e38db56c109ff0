import { bool, f32 } from '../../dsl/index.js'

const token = f32('batch', 'time')

/** What a policy's loss without a reference reads, with one advantage a response. */
export const surrogateInputs = {
  logProbs: token,
  oldLogProbs: token,
  advantages: f32('batch'),
  responseMask: bool('batch', 'time'),
}

/** The same with a reference policy. */
export const policyInputs = { ...surrogateInputs, refLogProbs: token }

/** The same with an advantage at each token. */
export const tokenInputs = { ...surrogateInputs, advantages: token }

/** What a critic's loss reads. */
export const valueInputs = { values: token, oldValues: token, returns: token, responseMask: bool('batch', 'time') }

/** A response and how likely two policies find it. */
export const responseInputs = { logProbs: token, refLogProbs: token, responseMask: bool('batch', 'time') }

/** A response and how likely the policy finds it. */
export const scoredInputs = { logProbs: token, responseMask: bool('batch', 'time') }

export const pairInputs = { chosen: responseInputs, rejected: responseInputs }

export const scoredPairInputs = { chosen: scoredInputs, rejected: scoredInputs }

export const tokens = token
