import { fileURLToPath } from 'node:url'
import type { Kind } from './inputs/index.js'

/** Those of one group are measured together, in turns. */
export type Group = 'cpu' | 'webgpu'

/** Whom a contender is: this library, one of the ecosystem that it is for, or the bar beyond it. */
export type Camp = 'ours' | 'javascript' | 'native'

export interface ContenderInfo {
  readonly name: string
  readonly group: Group
  readonly camp: Camp
  readonly command: readonly string[]
  /** What it is not asked, and why. */
  readonly spared?: { readonly kind: Kind; readonly because: string }
}

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** TypeScript runs through the loader of its own tests; the library itself is the built one, as its users have it. */
const script = (path: string, ...settings: readonly string[]): readonly string[] => [
  process.execPath,
  '--import',
  'tsx',
  here(path),
  ...settings,
]

const ours = script('axgrad/worker.ts')
const jax = script('jax/worker.mjs')
const tfjs = script('tfjs/worker.mjs')
const torch = ['/usr/bin/python3', here('torch/worker.py')]

export const contenders: readonly ContenderInfo[] = [
  { name: 'axgrad-cpu', group: 'cpu', camp: 'ours', command: [...ours, 'cpu'] },
  { name: 'torch', group: 'cpu', camp: 'native', command: torch },
  { name: 'jax-js', group: 'cpu', camp: 'javascript', command: [...jax, 'wasm'] },
  { name: 'jax-js-threads', group: 'cpu', camp: 'javascript', command: [...jax, 'threads'] },
  { name: 'tfjs-wasm', group: 'cpu', camp: 'javascript', command: [...tfjs, 'wasm'] },
  {
    ...{ name: 'tfjs-cpu', group: 'cpu', camp: 'javascript', command: [...tfjs, 'cpu'] },
    spared: { kind: 'step', because: 'not asked: in plain JavaScript a step takes minutes' },
  },
  { name: 'axgrad-webgpu', group: 'webgpu', camp: 'ours', command: [...ours, 'webgpu'] },
  { name: 'jax-js-webgpu', group: 'webgpu', camp: 'javascript', command: [...jax, 'webgpu'] },
  { name: 'tfjs-webgpu', group: 'webgpu', camp: 'javascript', command: [...tfjs, 'webgpu'] },
]

/** Settings of OpenBLAS that machines set to make results equal would name slower kernels than the processor has. */
const handicaps: readonly string[] = ['OPENBLAS_CORETYPE', 'OPENBLAS_L2_SIZE']

/** Large arrays that are freed stay with the process: what is touched for the first time costs more here than most that is done with it. */
const keepsMemory = { MALLOC_MMAP_THRESHOLD_: String(2 ** 25), MALLOC_TRIM_THRESHOLD_: String(2 ** 32) }

/** The driver keeps compiled shaders on disk: with an empty folder for them a first call compiles. */
export const environment = (shaderCache: string): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !handicaps.includes(name))),
  ...keepsMemory,
  MESA_SHADER_CACHE_DIR: shaderCache,
  TSX_TSCONFIG_PATH: here('built.tsconfig.json'),
})
