import { type Formula, inFloat64 } from './formula.js'
import { polynomial } from './polynomial.js'

// Chebyshev approximations, computed in 200 bits.

/** erf(a)/a in z = a² on [0, 1], to 4e-11. */
const nearZero = [
  1.1283791670615435, -0.3761263846802871, 0.11283782495236845, -0.026865430727670243, 0.005221031807858023, -0.0008484080405535107,
  0.00011265959025606609, -9.667044571486996e-6,
]

/** erf(2.5 + 1.5·z) for z in [−1, 1], to 2e-11. */
const towardsOne = [
  0.999593047982555, 0.0032674263182746943, -0.012252848526226255, 0.028181553764725444, -0.043650790021468606, 0.04645359028482051,
  -0.03187626637841529, 0.00926770677725518, 0.006678397873316549, -0.009621931179697205, 0.004554078750803038, 0.0004429757640530975,
  -0.0018524883567827167, 0.0009193688108328419, 9.287479322813952e-5, -0.00029409835869049204, 8.066096754102609e-5, 3.300364049399252e-5,
  -1.6278331442584616e-5,
]

/** For |x| ≥ 4, where erf rounds to ±1, as for ±4. */
const formula: Formula<'f64'> = (w, x) => {
  const a = w.float(w.atMost(w.abs(x), 4))
  const small = () => w.mul(a, polynomial(w, w.float(w.mul(a, a)), nearZero))
  const large = () => polynomial(w, w.float(w.div(w.sub(a, 2.5), 1.5)), towardsOne)
  return w.copysign(w.choose(w.lt(a, 1), small, large), x)
}

export const erf = inFloat64('erf', 1, formula)
