// jax-js as a contender: `wasm` on this thread, `threads` on as many as there are cores, `webgpu` through Dawn.
import { availableParallelism } from 'node:os'
import { serve } from '../protocol/serve.js'
import { pageJob } from '../web/job.mjs'
import { adapterName, installNavigator } from '../web/navigator.mjs'
import { pageWorker } from '../web/worker.mjs'

const [kind] = process.argv.slice(2)
const onGpu = kind === 'webgpu'
await installNavigator({ withGpu: onGpu })
if (kind === 'threads') globalThis.Worker = pageWorker

const { blockUntilReady, defaultDevice, init, numpy: np, tree } = await import('@jax-js/jax')
const programs = await import('./programs.mjs')

const held = ({ shape, data }) => np.array(data, { shape: [...shape], dtype: data instanceof Int32Array ? np.int32 : np.float32 })
const heldAll = (inputs) => Object.fromEntries(Object.entries(inputs).map(([name, array]) => [name, held(array)]))
const pick = (names, of) => Object.fromEntries(names.map((name) => [name, of[name]]))
const read = async (x) => {
  const { shape } = x
  const data = await x.ref.data()
  return { shape, data: data instanceof Int32Array ? data : Float32Array.from(data) }
}
const readAll = async (of) => {
  const made = {}
  for (const [name, x] of Object.entries(of)) made[name] = await read(x)
  return made
}

/** A function of held arrays whose results stay where they are, but for a scalar that is read. */
const functionJob = (inputs, compute, names) => {
  const given = heldAll(inputs)
  let made
  return pageJob({
    onGpu,
    run: async () => {
      tree.dispose(made)
      made = [compute(tree.ref(given))].flat()
      await blockUntilReady(made)
      if (names[0] === 'value') await made[0].ref.data()
    },
    outputs: () => readAll(Object.fromEntries(names.map((name, i) => [name, made[i]]))),
    drop: () => tree.dispose([given, made]),
  })
}

const isParameter = (name) => name === 'emb' || name === 'nf' || name.includes('.')

const stepJob = (sizes, inputs) => {
  const compute = programs.stepOf(sizes)
  const all = heldAll(inputs)
  const names = Object.keys(all).filter(isParameter)
  const batch = pick(['x', 'y', 'old', 'ref', 'adv', 'mask', 'cos', 'sin'], all)
  const zeros = () => Object.fromEntries(names.map((name) => [name, np.zeros([...inputs[name].shape])]))
  let state = { params: pick(names, all), mean: zeros(), square: zeros() }
  let [step, loss] = [0, NaN]
  const run = async () => {
    step += 1
    const { loss: value, ...next } = compute(state.params, state.mean, state.square, tree.ref(batch), np.array(step))
    state = next
    await blockUntilReady(state)
    ;[loss] = await value.data()
  }
  return pageJob({
    onGpu,
    run,
    outputs: async () => {
      const first = loss
      const moments = await readAll(state.mean)
      await run()
      const number = (x) => ({ shape: [], data: Float32Array.of(x) })
      return { loss: number(first), next: number(loss), ...moments }
    },
    drop: () => tree.dispose([state, batch]),
  })
}

const decodingJob = (sizes, inputs) => {
  const { batch, time, layers, heads, width } = sizes
  const compute = programs.tokenOf(sizes)
  const all = heldAll(inputs)
  const params = pick(Object.keys(all).filter(isParameter), all)
  const slots = time - 1
  const half = width / heads / 2
  const places = Array.from({ length: slots }, (_, place) => ({
    isHere: np
      .array(Int32Array.from({ length: slots }, (_, slot) => Number(slot === place)))
      .reshape([1, 1, slots, 1])
      .greater(0),
    seen: np
      .array(Int32Array.from({ length: slots }, (_, slot) => Number(slot <= place)))
      .reshape([1, 1, 1, slots])
      .greater(0),
    cos: np.array(inputs.cos.data.slice(place * half, (place + 1) * half)),
    sin: np.array(inputs.sin.data.slice(place * half, (place + 1) * half)),
  }))
  const prompt = np.array(
    Int32Array.from({ length: batch }, (_, row) => inputs.x.data[row * time]),
    { dtype: np.int32 },
  )
  const empty = () => np.zeros([batch, heads, slots, width / heads])
  let ids = []
  return pageJob({
    onGpu,
    run: async () => {
      tree.dispose(ids)
      ids = []
      let last = prompt.ref
      let caches = Array.from({ length: layers }, () => ({ keys: empty(), values: empty() }))
      for (const place of places) {
        const { isHere, seen, cos, sin } = tree.ref(place)
        ;({ last, caches } = compute(tree.ref(params), caches, last, isHere, seen, cos, sin))
        ids.push(last.ref)
      }
      tree.dispose([last, caches])
      await blockUntilReady(ids)
    },
    outputs: async () => {
      const columns = []
      for (const column of ids) columns.push(await column.ref.data())
      const data = Int32Array.from({ length: batch * slots }, (_, i) => columns[i % slots][Math.floor(i / slots)])
      return { ids: { shape: [batch, slots], data } }
    },
    drop: () => tree.dispose([params, places, prompt, ids]),
  })
}

const bringers = {
  product: (_, inputs) => functionJob(inputs, ({ a, b }) => programs.product(a, b), ['c']),
  pointwise: (_, inputs) => functionJob(inputs, ({ x }) => programs.pointwise(x), ['value', 'grad']),
  tokens: (_, inputs) => functionJob(inputs, ({ logits, ids, mask }) => programs.tokens(logits, ids, mask), ['value', 'grad']),
  grpo: (_, inputs) => functionJob(inputs, ({ logp, ...batch }) => programs.grpo(logp, batch), ['value', 'grad']),
  chain: (_, inputs) => functionJob(inputs, ({ x, w }) => programs.chained(x, w), ['y']),
  step: stepJob,
  decoding: decodingJob,
}

await serve(async () => {
  const device = onGpu ? 'webgpu' : 'wasm'
  const devices = await init(device)
  if (!devices.includes(device)) throw new Error(`jax-js finds no ${device}`)
  defaultDevice(device)
  return {
    facts: {
      'jax-js': '0.1.25',
      device: onGpu ? await adapterName() : device,
      threads: kind === 'wasm' ? '1' : String(availableParallelism()),
    },
    bring: async (of, sizes, inputs) => bringers[of](sizes, inputs),
    release: async () => {},
  }
})
