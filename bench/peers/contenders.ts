import { fileURLToPath } from 'node:url'

/** Those of one group are measured together, in turns. */
export type Group = 'cpu' | 'webgpu'

/** Whom a contender is: this library, one of the ecosystem that it is for, or the bar beyond it. */
export type Camp = 'ours' | 'javascript' | 'native'

export interface ContenderInfo {
  readonly name: string
  readonly group: Group
  readonly camp: Camp
  readonly command: readonly string[]
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
const torch = ['/usr/bin/python3', here('torch/worker.py')]

export const contenders: readonly ContenderInfo[] = [
  { name: 'axgrad-cpu', group: 'cpu', camp: 'ours', command: [...ours, 'cpu'] },
  { name: 'torch', group: 'cpu', camp: 'native', command: torch },
]

/** Settings of OpenBLAS that machines set to make results equal would name slower kernels than the processor has. */
const handicaps: readonly string[] = ['OPENBLAS_CORETYPE', 'OPENBLAS_L2_SIZE']

export const environment = (): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !handicaps.includes(name))),
  TSX_TSCONFIG_PATH: here('built.tsconfig.json'),
})
