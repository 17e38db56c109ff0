import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, test } from 'vitest'
import { grad, jvp, valueAndGrad } from '../../autodiff/index.js'
import { interpret, layout, liveBytes, type Plan, plan } from '../../compiler/index.js'
import {
  add,
  checkpoint,
  contract,
  defineLoss,
  exp,
  f32,
  leaves,
  mul,
  printProgram,
  program,
  type Scalar,
  stopGradient,
  sum,
  tanh,
  type Tensor,
  type TensorTree,
} from '../../dsl/index.js'
import { checkGradient } from '../../verify/index.js'
import { valueWithin } from '../programs/values.js'
import { right } from '../right.js'
import { run } from './run.js'

interface Layer {
  readonly up: Tensor<'embed' | 'hidden'>
  readonly down: Tensor<'hidden' | 'embed'>
}

type Hidden = Tensor<'batch' | 'embed'>

const [batch, embed, hidden] = [512, 8, 64]
const bytes = { hidden: 4 * batch * embed, inner: 4 * batch * hidden }

/** Two kernels: a contraction with tanh behind it, and a contraction. What the backward pass needs of it is what the first makes. */
const block = (x: Hidden, { up, down }: Layer): Hidden => contract('hidden')(tanh(contract('embed')(x, up)), down)

type Blocks = (x: Hidden, layers: readonly Layer[]) => Hidden

const chain =
  (one: typeof block): Blocks =>
  (x, layers) =>
    layers.reduce(one, x)

const each = chain(checkpoint(block))

/** Layers in groups of four: the arguments of the groups are kept, and those of one group's layers while its turn lasts. */
const nested: Blocks = (x, layers) => (layers.length === 0 ? x : nested(checkpoint(each)(x, layers.slice(0, 4)), layers.slice(4)))

const closedOver = chain((x, layer) => checkpoint((y: Hidden) => block(y, layer))(x))

const layerSpec = { up: f32({ embed, hidden }), down: f32({ hidden, embed }) }

const gradientOf = (
  blocks: Blocks,
  count: number,
  wanted: (made: { readonly value: Scalar; readonly grad: readonly Layer[] }) => TensorTree,
) =>
  program({
    inputs: { x: f32('batch', 'embed'), layers: Array.from({ length: count }, () => layerSpec) },
    body: ({ x, layers }) => {
      const loss = (own: readonly Layer[]): Scalar => {
        const y = blocks(x, own)
        return pipe(mul(y, y), sum('batch', 'embed'))
      }
      return { outputs: wanted(valueAndGrad(loss)(layers)) }
    },
  })

const everything = (made: { readonly value: Scalar; readonly grad: readonly Layer[] }): TensorTree => ({
  ...made,
  grad: made.grad.map((g) => ({ ...g })),
})

const planned = (blocks: Blocks, count: number, wanted = everything): Plan => right(plan(gradientOf(blocks, count, wanted)))

const kernels = (blocks: Blocks, count: number, wanted = everything): number => planned(blocks, count, wanted).commands.length

/** The bytes of the arena, and the most of them that are alive at one time; what is given lies elsewhere. */
const memory = (blocks: Blocks, count: number): { readonly arena: number; readonly live: number } => {
  const made = planned(blocks, count)
  const given = new Set(made.buffers.flatMap(({ role }, i) => (role.tag === 'given' ? [i] : [])))
  const sizes = new Map([['batch', batch], ['embed', embed]]) // prettier-ignore
  return { arena: layout(made, sizes, given).arena, live: liveBytes(made, sizes, given) }
}

/** The bytes alive that one layer more costs. */
const growth = (blocks: Blocks): number => (memory(blocks, 8).live - memory(blocks, 4).live) / 4

const isData = (x: unknown): x is Float32Array => ArrayBuffer.isView(x)

const bits = (blocks: Blocks): readonly string[] => {
  const [rows, count] = [3, 5]
  const some = (sizes: readonly number[], stream: number) => valueWithin({ low: -1, high: 1, grid: Infinity }, sizes, 3, stream)
  const layers = Array.from({ length: count }, (_, i) => ({ up: some([embed, hidden], 2 * i), down: some([hidden, embed], 2 * i + 1) }))
  const { outputs } = right(interpret(planned(blocks, count))({ x: some([rows, embed], 99), layers }))
  return leaves(isData)(outputs).map(({ value }) => Buffer.from(value.buffer).toString('hex'))
}

describe('a chain of layers, each of them a checkpoint', () => {
  test('computes again what the backward pass needs, and no more', () => {
    expect(kernels(each, 4)).toBe(kernels(chain(block), 4) + 4)
    expect(kernels(closedOver, 4)).toBe(kernels(chain(block), 4) + 4)
  })

  test('keeps the argument of each layer, where it else keeps what lies within', () => {
    expect(growth(each)).toBe(bytes.hidden)
    expect(growth(closedOver)).toBe(bytes.hidden)
    expect(growth(chain(block))).toBeGreaterThanOrEqual(bytes.hidden + 2 * bytes.inner)
    expect(memory(each, 8).arena).toBeLessThan(memory(chain(block), 8).arena / 4)
  })

  test('in groups of checkpoints keeps the argument of each group, and computes the arguments in it again', () => {
    expect(growth(nested)).toBe(bytes.hidden / 4)
    expect(kernels(nested, 8)).toBe(kernels(each, 8) + 2 * 3 * 2)
  })

  test.each([
    ['each', each],
    ['nested', nested],
    ['closed over', closedOver],
  ])('has the same bits: %s', (_, blocks) => expect(bits(blocks)).toEqual(bits(chain(block))))

  test('makes no gradient that nobody asks for, only to wait for it', () => {
    const first = ({ grad: [layer] }: { readonly grad: readonly Layer[] }): TensorTree => ({ up: layer!.up })
    const last = ({ grad: layers }: { readonly grad: readonly Layer[] }): TensorTree => ({ up: layers.at(-1)!.up })

    // Without a gradient by `down`, tanh is computed where it is read.
    expect(kernels(each, 4, first)).toBe(kernels(chain(block), 4, first) + 4)
    expect(kernels(each, 4, last)).toBe(kernels(chain(block), 4, last) + 1)
  })

  test('costs forward mode nothing', () => {
    const forward = (blocks: Blocks) =>
      right(
        plan(
          program({
            inputs: { x: f32('batch', 'embed'), layers: [layerSpec, layerSpec] },
            body: ({ x, layers }) => ({ outputs: { ...jvp((y: Hidden) => blocks(y, layers), x, x) } }),
          }),
        ),
      ).commands.length

    expect(forward(each)).toBe(forward(chain(block)))
  })
})

test('several results of one checkpoint are computed again once', () => {
  const both = (x: Hidden, { up, down }: Layer) => {
    const inner = tanh(contract('embed')(x, up))
    return { once: contract('hidden')(inner, down), twice: contract('hidden')(mul(inner, 2), down) }
  }
  const ending =
    (f: typeof both): Blocks =>
    (x, [layer]) => {
      const { once, twice } = f(x, layer!)
      return mul(once, exp(twice))
    }
  expect(kernels(ending(checkpoint(both)), 1)).toBe(kernels(ending(both), 1) + 1)
})

test('one inside another that closes over what the other computes again makes it of that', () => {
  const inner =
    (wrap: (f: (y: Hidden) => Hidden) => (y: Hidden) => Hidden): Blocks =>
    (x, [layer]) =>
      checkpoint((y: Hidden, own: Layer) => {
        const kept = contract('hidden')(contract('embed')(y, own.up), own.down)
        return wrap((z) => mul(tanh(z), kept))(block(y, own))
      })(x, layer!)
  const again = (blocks: Blocks): number => kernels(blocks, 1)

  expect(again(inner(checkpoint))).toBe(again(inner((f) => f)))
})

test('an argument is made to be kept, rather than what it is computed from', () => {
  const residual = chain(checkpoint((x: Hidden, { up }: Layer) => add(x, mul(mul(x, x), pipe(up, sum('hidden'))))))
  const reasons = planned(residual, 3).commands.flatMap((command) =>
    command.tag === 'dispatch' ? command.makes.map(({ because }) => because) : [],
  )

  expect(reasons.filter((reason) => reason === 'argument of a checkpoint')).toHaveLength(2)
})

type Parallel = (y: Scalar) => Scalar

test('contributions to an argument are added up in the order in which they would be without', () => {
  const [made, again] = [(f: Parallel) => f, (f: Parallel) => checkpoint(f)].map(
    (wrap) =>
      right(
        interpret(
          right(
            plan(
              program({
                inputs: { x: f32() },
                body: ({ x }) => {
                  const threefold = wrap((y) => add(mul(y, 3), mul(y, 3.5)))
                  return { outputs: { g: grad((y: Scalar) => add(threefold(y), mul(y, 1e8)))(x) } }
                },
              }),
            ),
          ),
        )({ x: 1 }),
      ).outputs.g.data[0],
  )

  // Beside 1e8, 3 and 3.5 are lost, but their sum would not be.
  expect([made, again]).toEqual([1e8, 1e8])
})

test('an argument that the function does not use, one that is no tensor and one that it gives back are no trouble', () => {
  const made = run({ x: f32('time'), y: f32('time') }, { x: { sizes: [2], data: [1, 2] }, y: { sizes: [2], data: [3, 4] } }, ({ x, y }) => {
    const f = checkpoint((a: typeof x, _b: typeof x, by: number) => [a, mul(mul(a, a), by)] as const)
    return grad((p: { x: typeof x; y: typeof x }) => {
      const [same, square] = f(p.x, p.y, 10)
      return pipe(add(same, square), sum('time'))
    })({ x, y })
  })

  expect(made.map(({ data }) => Array.from(data))).toEqual([
    [21, 41],
    [0, 0],
  ])
})

test('the verifier holds what is stopped inside, to second order', () => {
  const loss = defineLoss({
    name: 'stopped in a checkpoint',
    inputs: { x: f32('time'), w: f32('time') },
    loss: ({ x, w }) => {
      const body = checkpoint((y: typeof x) => mul(mul(tanh(y), w), add(y, stopGradient(exp(y)))))
      return pipe(body(body(x)), sum('time'))
    },
  })

  expect(checkGradient(loss, { runs: 30 }).failure).toBeUndefined()
})

test('one is printed with what it is made of and what it was given', () => {
  const p = program({
    inputs: { x: f32('time'), w: f32('time') },
    body: ({ x, w }) => ({ outputs: { y: checkpoint((z: typeof x) => exp(mul(tanh(z), w)))(x) } }),
  })

  expect(printProgram(p)).toMatchInlineSnapshot(`
    "inputs.x: f32[time: time]
    inputs.w: f32[time: time]
    %0 = input(inputs.x) : f32[time: time]
    %1 = rename %0 : f32[time: time]
    %2 = tanh %1 : f32[time: time]
    %3 = input(inputs.w) : f32[time: time]
    %4 = mul %2 %3 : f32[time: time]
    %5 = exp %4 : f32[time: time]
    %6 = checkpoint %5 %1 : f32[time: time]
    outputs.y = %6"
  `)
})

test('a gradient through one is printed with what waits for what', () => {
  const p = program({
    inputs: { x: f32('time') },
    body: ({ x }) => ({ outputs: { g: grad((y: typeof x) => pipe(checkpoint((z: typeof x) => exp(tanh(z)))(y), sum('time')))(x) } }),
  })

  expect(printProgram(p)).toMatchInlineSnapshot(`
    "inputs.x: f32[time: time]
    %0 = constant(1) : f32[]
    %1 = broadcast %0 : f32[time: time]
    %2 = input(inputs.x) : f32[time: time]
    %3 = rename %2 : f32[time: time]
    %4 = rename %3 : f32[time: time]
    %5 = barrier %1 %4 : f32[time: time]
    %6 = tanh %5 : f32[time: time]
    %7 = exp %6 : f32[time: time]
    %8 = mul %1 %7 : f32[time: time]
    %9 = mul %6 %6 : f32[time: time]
    %10 = sub %0 %9 : f32[time: time]
    %11 = mul %8 %10 : f32[time: time]
    outputs.g = %11"
  `)
})
