import { pipe } from 'fp-ts/lib/function.js'
import { describe, expect, test } from 'vitest'
import { type Aggregation, grpoLoss, rowMeanTokenMean, tokenMean } from '../../algorithms/index.js'
import { grad, valueAndGrad } from '../../autodiff/index.js'
import { type Plan, plan, printCommands } from '../../compiler/index.js'
import {
  add,
  bool,
  contract,
  div,
  entropy,
  exp,
  f32,
  gather,
  i32,
  log,
  logSoftmax,
  max,
  mul,
  program,
  type Program,
  rmsNorm,
  rotary,
  type Scalar,
  silu,
  sizes,
  softmax,
  sub,
  sum,
  type Tensor,
  tokenLogProbs,
} from '../../dsl/index.js'
import { adamW } from '../../training/index.js'
import { right } from '../right.js'

const planned = <I, S, O>(p: Program<I, S, O>): Plan<I, S, O> => right(plan(p))

const kernels = (p: Program<unknown, unknown, unknown>): number => planned(p).commands.length

type Bound = Readonly<Record<string, number>>

/** The bytes that all commands read and write, each buffer of a command once. */
const traffic = (p: Program<unknown, unknown, unknown>, bound: Bound): number => {
  const { buffers, commands } = planned(p)
  const at = new Map(Object.entries(bound))
  const touched = commands.flatMap((command) => (command.tag === 'dispatch' ? command.buffers : [command.from, command.to]))
  return touched.reduce((sum, b) => sum + 4 * sizes.evaluateSize(buffers[b]!.elements, at)!, 0)
}

const grpo = (aggregation: Aggregation) =>
  program({
    inputs: {
      logProbs: f32('batch', 'time'),
      oldLogProbs: f32('batch', 'time'),
      refLogProbs: f32('batch', 'time'),
      advantages: f32('batch'),
      responseMask: bool('batch', 'time'),
    },
    body: (batch) => {
      const loss = grpoLoss({ clip: { low: 0.2, high: 0.2 }, beta: 0.04, aggregation })
      const lossOf = (logProbs: Tensor<'batch' | 'time'>): Scalar => loss({ ...batch, logProbs })
      return { outputs: valueAndGrad(lossOf)(batch.logProbs) }
    },
  })

/** GRPO's inputs, each read once, and the gradient, written once. */
const grpoBytes = ({ batch = 0, time = 0 }: Bound): number => 4 * (5 * batch * time + batch)

describe('GRPO and its gradient', () => {
  const bound = { batch: 256, time: 512 }

  test('with row means are one kernel, and one for the sum of the rows', () => {
    expect(kernels(grpo(rowMeanTokenMean))).toBe(2)
    expect(traffic(grpo(rowMeanTokenMean), bound)).toBeLessThan(1.01 * grpoBytes(bound))
  })

  test('with a token mean are one kernel, one for the counts before it and one for the sum after it', () => {
    expect(kernels(grpo(tokenMean))).toBe(3)
    expect(traffic(grpo(tokenMean), bound)).toBeLessThan(1.5 * grpoBytes(bound))
  })
})

test('what a kernel makes is printed with what it costs and why others read it from memory', () => {
  expect(printCommands(planned(grpo(tokenMean)))).toMatchInlineSnapshot(`
    "3 commands: reads 20·batch·time + 16·batch bytes, writes 4·batch·time + 8·batch + 4, computes batch·batch + 38·batch·time + 8·batch + 4 flops
    0: sum_0(m5, m4, batch, time) over [batch]
      reads 4·batch·time bytes, writes 4·batch, computes batch·time flops
      makes sum(time) f32[batch: batch] (reduction)
        read by 1: 4·batch bytes (read at other places)
        read by 2: 4·batch bytes (other rows)
    1: sum_1(m6, m7, m5, m4, m0, m1, m3, m2, batch, time, 80, 0.2, 0.04, 0.5) over [batch]
      reads 16·batch·time + 8·batch bytes, writes 4·batch·time + 4·batch, computes batch·batch + 37·batch·time + 6·batch flops
      makes sum(time) f32[batch: batch] (reduction)
        read by 2: 4·batch bytes (other rows)
      makes select f32[batch: batch, time: time] (result)
    2: sum_2(m8, m6, m5, batch) over []
      reads 8·batch bytes, writes 4, computes 2·batch + 4 flops
      makes neg f32[] (result)"
  `)
})

type Logits = Tensor<'batch' | 'time' | 'vocab'>
type Ids = Tensor<'batch' | 'time', 'i32'>
type LogProbs = (logits: Logits, ids: Ids) => Tensor<'batch' | 'time'>

const given = { logits: f32('batch', 'time', 'vocab'), ids: i32('batch', 'time'), weights: f32('batch', 'time') }

/** The log-probabilities of chosen tokens and the gradient of their weighted sum. */
const chosen = (logProbs: LogProbs) =>
  program({
    inputs: given,
    body: ({ logits, ids, weights }) => {
      const weighted = (x: Logits): Scalar => pipe(mul(logProbs(x, ids), weights), sum('batch', 'time'))
      return { outputs: { logProbs: logProbs(logits, ids), grad: grad(weighted)(logits) } }
    },
  })

const invented: LogProbs = (logits, ids) => {
  const weights = exp(sub(logits, pipe(logits, max('vocab'))))
  return log(pipe(div(weights, pipe(weights, sum('vocab'))), gather('vocab')(ids)))
}

describe('token log-probabilities and their gradient', () => {
  const library = chosen((logits, ids) => pipe(logits, tokenLogProbs('vocab')(ids)))

  test('are one kernel, which reads the logits and writes the gradient and nothing else of their size', () => {
    const bound = { batch: 64, time: 64, vocab: 968 }
    expect(kernels(library)).toBe(1)
    expect(traffic(library, bound)).toBeLessThan(2.01 * 4 * 64 * 64 * 968)
  })

  test('whose softmax is written as exp(x − max)/Σ are as many', () => expect(kernels(chosen(invented))).toBe(kernels(library)))

  test('beside the entropy of the same logits are one kernel', () => {
    const both = program({
      inputs: given,
      body: ({ logits, ids }) => ({
        outputs: { logProbs: pipe(logits, tokenLogProbs('vocab')(ids)), entropy: pipe(logits, entropy('vocab')) },
      }),
    })
    expect(kernels(both)).toBe(1)
  })
})

describe('a contraction', () => {
  const weights = { gate: f32('embed', 'hidden'), up: f32('embed', 'hidden'), down: f32('hidden', 'embed') }
  const x = f32('batch', 'time', 'embed')

  test('takes what is pointwise in its result in: it is never written where nothing else reads it', () => {
    const p = program({
      inputs: { x, ...weights },
      body: ({ x, gate, up, down }) => {
        const hidden = mul(silu(contract('embed')(x, gate)), contract('embed')(x, up))
        return { outputs: { y: add(x, contract('hidden')(hidden, down)) } }
      },
    })
    expect(planned(p).commands.map((command) => (command.tag === 'dispatch' ? command.makes.map(({ what }) => what) : []))).toEqual([
      ['contract(embed) f32[batch: batch, time: time, hidden: hidden]'],
      ['mul f32[batch: batch, time: time, hidden: hidden]'],
      ['add f32[batch: batch, time: time, embed: embed]'],
    ])
  })

  test('reads what a norm of its rows made in one kernel', () => {
    const p = program({
      inputs: { x, ...weights },
      body: ({ x, gate }) => ({ outputs: { y: contract('embed')(pipe(x, rmsNorm('embed', { epsilon: 1e-5 })), gate) } }),
    })
    expect(kernels(p)).toBe(2)
  })
})

test('a softmax over a row is one kernel, and so are its sum and its greatest element with it', () => {
  const p = program({
    inputs: { x: f32('row', 'n') },
    body: ({ x }) => {
      const y = pipe(x, softmax('n'))
      return { outputs: { y, z: pipe(x, logSoftmax('n')), sum: pipe(y, sum('n')), max: pipe(y, max('n')) } }
    },
  })
  expect(kernels(p)).toBe(1)
})

describe('AdamW', () => {
  const shapes = {
    embedding: f32({ vocab: 96, embed: 8 }),
    norm: f32({ embed: 8 }),
    up: f32({ embed: 8, ffn: 24 }),
    bias: f32({ ffn: 24 }),
  }
  const step = program({
    inputs: { grads: shapes, learningRate: f32(), step: f32() },
    state: { params: shapes, moments: { mean: shapes, square: shapes } },
    body: (inputs, state) => ({ outputs: {}, state: adamW({ weightDecay: 0.1 })(state, inputs) }),
  })

  test('updates all parameters, of any shapes, in one launch of one kernel, each number where it lies', () => {
    const { kernels, commands } = planned(step)
    expect(kernels).toHaveLength(1)
    expect(commands.map((command) => command.tag === 'dispatch' && command.beside)).toEqual([false, true, true, true])
    expect(Math.max(...kernels.map(({ buffers }) => buffers.length))).toBe(6)
  })
})

test('one row is no rows: a sum of everything does not make what it sums', () => {
  const p = program({
    inputs: { x: f32('row') },
    body: ({ x }) => {
      const y = exp(x)
      return { outputs: { y, sum: pipe(y, sum('row')) } }
    },
  })
  expect(kernels(p)).toBe(2)
})

describe('what is dear and read along more axes', () => {
  const inputs = { x: f32('batch', 'time', 'head', 'headDim'), scale: f32('headDim'), weight: f32('batch') }

  test('is made once: the sines of rotary positions, and their frequencies, do not depend on the row or the head', () => {
    const turned = planned(
      program({ inputs, body: ({ x }) => ({ outputs: { y: pipe(x, rotary('headDim', { base: 500, positions: 'time' })) } }) }),
    )
    const tables = turned.commands.flatMap((command) =>
      command.tag === 'dispatch' ? command.makes.filter(({ because }) => because === 'too dear to repeat') : [],
    )
    expect(tables.map(({ what }) => what.split(' ')[0])).toEqual(['exp', 'cos', 'sin'])
    for (const { elements } of tables) expect(elements.text).not.toMatch(/batch|\bhead\b/)
  })

  test('is computed where it is read if the inner loops do not change it', () => {
    expect(kernels(program({ inputs, body: ({ x, weight }) => ({ outputs: { y: mul(x, exp(weight)) } }) }))).toBe(1)
    expect(kernels(program({ inputs, body: ({ x, scale }) => ({ outputs: { y: mul(x, exp(scale)) } }) }))).toBe(2)
    expect(kernels(program({ inputs, body: ({ x, scale }) => ({ outputs: { y: mul(x, add(scale, 1)) } }) }))).toBe(1)
  })
})
