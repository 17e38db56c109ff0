// TensorFlow.js as a contender, on the backend that the command line names: `cpu`, `wasm` or `webgpu`.
import { fileURLToPath } from 'node:url'
import { serve } from '../protocol/serve.js'
import { pageJob } from '../web/job.mjs'
import { adapterName, installNavigator } from '../web/navigator.mjs'

const [kind] = process.argv.slice(2)
const onGpu = kind === 'webgpu'
if (onGpu) await installNavigator({ withGpu: true })

const { default: tf } = await import('@tensorflow/tfjs')
const programs = await import('./programs.mjs')

const openers = {
  cpu: async () => undefined, // comes with the library
  wasm: async () => {
    const { setWasmPaths } = await import('@tensorflow/tfjs-backend-wasm')
    setWasmPaths(fileURLToPath(new URL('.', import.meta.resolve('@tensorflow/tfjs-backend-wasm/dist/tfjs-backend-wasm.wasm'))))
  },
  webgpu: () => import('@tensorflow/tfjs-backend-webgpu'),
}

/** Wait for what the backend was given to do. */
const settled = async () => {
  if (onGpu) {
    const backend = tf.backend()
    backend.ensureCommandEncoderReady()
    backend.endComputePassEncoder()
    backend.submitQueue()
    await backend.queue.onSubmittedWorkDone()
  }
}

const held = ({ shape, data }) => tf.tensor(data, [...shape], data instanceof Int32Array ? 'int32' : 'float32')
const heldAll = (inputs) => Object.fromEntries(Object.entries(inputs).map(([name, array]) => [name, held(array)]))
const pick = (names, of) => Object.fromEntries(names.map((name) => [name, of[name]]))
const read = async (x) => {
  const data = await x.data()
  return { shape: x.shape, data: data instanceof Int32Array ? data : Float32Array.from(data) }
}
const readAll = async (of) => {
  const made = {}
  for (const [name, x] of Object.entries(of)) made[name] = await read(x)
  return made
}

/** A function of held tensors whose results stay where they are, but for a scalar that is read. */
const functionJob = (inputs, compute) => {
  const given = heldAll(inputs)
  let made = {}
  return pageJob({
    onGpu,
    run: async () => {
      tf.dispose(made)
      made = tf.tidy(() => compute(given))
      await made.value?.data()
      await settled()
    },
    outputs: () => readAll(made),
    drop: () => tf.dispose([given, made]),
  })
}

const isParameter = (name) => name === 'emb' || name === 'nf' || name.includes('.')

const stepJob = (sizes, inputs) => {
  const { time } = sizes
  const all = heldAll(inputs)
  const names = Object.keys(all).filter(isParameter)
  const bias = tf.tensor(
    Float32Array.from({ length: time * time }, (_, i) => (i % time <= Math.floor(i / time) ? 0 : -1e30)),
    [time, time],
  )
  const batch = { ...pick(['x', 'y', 'old', 'ref', 'adv', 'mask', 'cos', 'sin'], all), bias }
  const zeros = () => Object.fromEntries(names.map((name) => [name, tf.zeros([...inputs[name].shape])]))
  let state = { params: pick(names, all), mean: zeros(), square: zeros() }
  let [count, loss] = [0, NaN]
  const run = async () => {
    count += 1
    const { loss: value, ...next } = tf.tidy(() => programs.step(sizes, state, batch, count))
    tf.dispose(state)
    state = next
    ;[loss] = await value.data()
    value.dispose()
    await settled()
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
    drop: () => tf.dispose([state, batch]),
  })
}

const decodingJob = (sizes, inputs) => {
  const { batch, time, layers, heads, width } = sizes
  const all = heldAll(inputs)
  const params = pick(Object.keys(all).filter(isParameter), all)
  const slots = time - 1
  const half = width / heads / 2
  const rowOf = ({ data }, place) => tf.tensor(data.slice(place * half, (place + 1) * half))
  const places = Array.from({ length: slots }, (_, place) => ({ cos: rowOf(inputs.cos, place), sin: rowOf(inputs.sin, place) }))
  const prompt = tf.tensor(
    Int32Array.from({ length: batch }, (_, row) => inputs.x.data[row * time]),
    [batch],
    'int32',
  )
  let ids = []
  return pageJob({
    onGpu,
    run: async () => {
      tf.dispose(ids)
      ids = []
      let [last, caches] = [prompt, Array.from({ length: layers })]
      for (const { cos, sin } of places) {
        const before = caches
        ;({ last, caches } = tf.tidy(() => programs.token(sizes, params, before, last, cos, sin)))
        tf.dispose(before.filter((cache) => cache !== undefined))
        ids.push(last)
      }
      tf.dispose(caches)
      await settled()
    },
    outputs: async () => {
      const columns = []
      for (const column of ids) columns.push(await column.data())
      const data = Int32Array.from({ length: batch * slots }, (_, i) => columns[i % slots][Math.floor(i / slots)])
      return { ids: { shape: [batch, slots], data } }
    },
    drop: () => tf.dispose([params, places, prompt, ids]),
  })
}

const bringers = {
  product: (_, inputs) => functionJob(inputs, ({ a, b }) => ({ c: programs.product(a, b) })),
  pointwise: (_, inputs) => functionJob(inputs, ({ x }) => programs.pointwise(x)),
  tokens: (_, inputs) => functionJob(inputs, ({ logits, ids, mask }) => programs.tokens(logits, ids, mask)),
  grpo: (_, inputs) => functionJob(inputs, ({ logp, ...batch }) => programs.grpo(logp, batch)),
  chain: (_, inputs) => functionJob(inputs, ({ x, w }) => ({ y: programs.chained(x, w) })),
  step: stepJob,
  decoding: decodingJob,
}

await serve(async () => {
  await openers[kind]()
  if (!(await tf.setBackend(kind))) throw new Error(`TensorFlow.js finds no ${kind}`)
  await tf.ready()
  return {
    facts: { tfjs: tf.version_core, device: onGpu ? await adapterName() : kind, threads: '1' },
    bring: async (of, sizes, inputs) => bringers[of](sizes, inputs),
    release: async () => {},
  }
})
