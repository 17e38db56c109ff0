import fc from 'fast-check'
import { law } from '../law.js'
import { programsOf } from '../programs/index.js'
import { type Claim, modesAreAdjoint, reverseIsDifferences, secondIsDifferences, secondModesAreAdjoint } from './claims.js'
import { scalarized } from './scalarized.js'

/** A derivative is by inputs. */
const anyProgram = programsOf({ states: 0 })

const throughout = (claim: Claim) =>
  fc.property(anyProgram, (p) => {
    const made = scalarized(p)
    const wrong = made && claim(made)
    if (wrong !== undefined) throw new Error(wrong)
  })

// ⟨ct, J·v⟩ = ⟨Jᵀ·ct, v⟩
law('forward and reverse mode are adjoint', throughout(modesAreAdjoint), { runs: 1000 })

law('reverse mode is what central differences tend to', throughout(reverseIsDifferences), { runs: 1000 })

law('the gradient of a gradient is what differences of gradients tend to', throughout(secondIsDifferences), { runs: 1000 })

law('a second derivative is the same by either mode over either mode', throughout(secondModesAreAdjoint), { runs: 1000 })
