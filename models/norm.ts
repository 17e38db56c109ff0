import { pipe } from 'fp-ts/lib/function.js'
import { add, mean, mul, rsqrt, type Tensor } from '../dsl/index.js'
import type { Stream } from './tensors.js'

/** RMSNorm: x · scale / √(mean x² + ε) over `embed`. */
export const rmsNorm =
  (scale: Tensor<'embed'>, epsilon: number) =>
  (x: Stream): Stream =>
    mul(
      mul(
        x,
        pipe(mul(x, x), mean('embed'), (meanSquare) => rsqrt(add(meanSquare, epsilon))),
      ),
      scale,
    )
