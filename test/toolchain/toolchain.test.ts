// Such tools can fail silently: a glob that matches nothing is a clean report. Each is shown a fault here and must name it.
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isAllowed } from '../../scripts/licences.js'
import { root, runIn } from './fixture.js'
import type { Files, Outcome } from './fixture.js'

const compile6 = (files: Files): Outcome => runIn(files, 'node_modules/typescript/bin/tsc')
const compile7 = (files: Files): Outcome => runIn(files, 'node_modules/typescript-7/bin/tsc')
const lint = (files: Files): Outcome => runIn(files, 'node_modules/eslint/bin/eslint.js', '--config', join(root, 'eslint.config.js'), '.')
const format = (files: Files): Outcome => runIn(files, 'node_modules/prettier/bin/prettier.cjs', '--check', '**/*.ts')
const boundaries = (files: Files): Outcome =>
  runIn(files, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs', '--config', join(root, '.dependency-cruiser.mjs'), '.')

const sound = { 'dsl/index.ts': "export const one = 1\nexport const greeting = (name: string): string => 'hello, ' + name\n" }

describe.each([
  ['TypeScript 6', compile6],
  ['TypeScript 7', compile7],
])('%s', (_, compile) => {
  test('accepts sound code, also through the public names', () => {
    expect(compile({ ...sound, 'test/a.ts': "import { one } from 'axgrad/dsl'\nexport const two: number = one + 1\n" })).toEqual({
      status: 0,
      output: '',
    })
  })

  test('reports a wrong type, an index out of range, an unused local and the DOM', () => {
    const { output } = compile({
      'dsl/type.ts': "export const n: number = 'one'\n",
      'dsl/index.ts': 'export const first = (xs: readonly number[]): number => xs[0]\n',
      'dsl/unused.ts': 'export const f = (): void => {\n  const x = 1\n}\n',
      'dsl/dom.ts': 'export type N = Node\n', // one who forgot to import ours must not get the browser's
    })

    expect(output).toMatch(/dsl\/type\.ts.*TS2322/)
    expect(output).toMatch(/dsl\/index\.ts.*TS2322/)
    expect(output).toMatch(/dsl\/unused\.ts.*TS6133/)
    expect(output).toMatch(/dsl\/dom\.ts.*TS2304/)
  })
})

describe('eslint', () => {
  test('accepts sound code and reports what is unsafe', () => {
    const unsafe = [
      'export const later = async (): Promise<number> => Promise.resolve(1)',
      'export const forget = (): void => {\n  later()\n}',
      'export const dig = (text: string): unknown => JSON.parse(text).a.b',
      'export const shut = (x: unknown): unknown => x as any',
      "export const say = (x: 'a' | 'b'): number => {\n  switch (x) {\n    case 'a':\n      return 1\n  }\n  return 0\n}",
      "console.log('hello')",
      'export default dig',
    ]
    const { status, output } = lint({ ...sound, 'dsl/unsafe.ts': unsafe.join('\n') + '\n' })

    expect(status).toBe(1)
    expect(output).not.toContain('index.ts')
    for (const rule of [
      'no-floating-promises',
      'no-unsafe-member-access',
      'no-explicit-any',
      'switch-exhaustiveness-check',
      'no-console',
      'Export by name',
    ])
      expect(output).toContain(rule)
  })
})

test('prettier accepts our format and reports another', () => {
  expect(format(sound).status).toBe(0)
  expect(format({ 'dsl/index.ts': 'export const one = "1";\n' })).toMatchObject({
    status: 1,
    output: expect.stringContaining('dsl/index.ts'),
  })
})

describe('boundaries', () => {
  const tree: Files = {
    'dsl/index.ts': "import * as E from 'fp-ts/lib/Either.js'\nexport const x = E.right(1)\nexport type X = typeof x\n",
    'autodiff/index.ts': "import { x } from '../dsl/index.js'\nexport const y = x\n",
    'compiler/index.ts': "import { x } from '../dsl/index.js'\nexport const y = x\n",
    'backends/backend.ts': "import { y } from '../compiler/index.js'\nexport const z = y\n",
    'backends/cpu/evaluate.ts': "import { x } from '../../dsl/index.js'\nexport const v = x\n",
    'backends/cpu/index.ts':
      "import { cpus } from 'node:os'\nimport { z } from '../backend.js'\nexport { v } from './evaluate.js'\nexport const c = [z, cpus]\n",
    'backends/webgpu/index.ts': "import { z } from '../backend.js'\nexport const g = () => [z, import('webgpu')]\n",
    'backends/index.ts': "export { c } from './cpu/index.js'\nexport { g } from './webgpu/index.js'\n",
    'algorithms/index.ts': "import { x } from '../dsl/index.js'\nexport const loss = x\n",
    'models/index.ts': "import { readFile } from 'node:fs/promises'\nimport { x } from '../dsl/index.js'\nexport const m = [x, readFile]\n",
    'training/index.ts':
      "import { z } from '../backends/backend.js'\nimport { c } from '../backends/index.js'\nimport { loss } from '../algorithms/index.js'\nimport { m } from '../models/index.js'\nexport const t = [z, c, loss, m]\n",
    'tasks/index.ts': "import type { X } from '../dsl/index.js'\nexport const task: X | 0 = 0\n",
    'verify/index.ts':
      "import fc from 'fast-check'\nimport { v } from '../backends/cpu/evaluate.js'\nimport { y } from '../autodiff/index.js'\nexport const verify = [fc, v, y]\n",
    'cli/main.ts':
      "import { t } from '../training/index.js'\nimport { verify } from '../verify/index.js'\nexport const run = [t, verify]\n",
    'examples/one.ts': "import { t } from 'axgrad/training'\nimport { x } from 'axgrad/dsl'\nexport const one = [t, x]\n",
  }

  test('allow what the table allows', () => {
    expect(boundaries(tree)).toMatchObject({ status: 0, output: expect.stringContaining('no dependency violations found') })
  })

  const faults = [
    ['dsl-imports', 'dsl/derives.ts', '../autodiff/index.js'],
    ['dsl-imports', 'dsl/reads-files.ts', 'node:fs'],
    ['dsl-imports', 'dsl/parses-arguments.ts', 'commander'],
    ['dsl-imports', 'dsl/plans.ts', 'axgrad/compiler'],
    ['autodiff-imports', 'autodiff/plans.ts', '../compiler/index.js'],
    ['compiler-imports', 'compiler/runs.ts', '../backends/backend.js'],
    ['compiler-imports', 'compiler/derives.ts', '../autodiff/index.js'],
    ['evaluate-imports', 'backends/cpu/evaluate.ts', '../../compiler/index.js'],
    ['cpu-imports', 'backends/cpu/draws.ts', '../webgpu/index.js'],
    ['webgpu-imports', 'backends/webgpu/evaluates.ts', '../cpu/evaluate.js'],
    ['backends-imports', 'backends/derives.ts', '../autodiff/index.js'],
    ['dawn-in-webgpu-alone', 'backends/dawn.ts', 'webgpu'],
    ['dawn-in-webgpu-alone', 'cli/dawn.ts', 'webgpu'],
    ['algorithms-imports', 'algorithms/derives.ts', '../autodiff/index.js'],
    ['models-imports', 'models/loses.ts', '../algorithms/index.js'],
    ['training-imports', 'training/on-cpu.ts', '../backends/cpu/index.js'],
    ['training-imports', 'training/plays.ts', '../tasks/index.js'],
    ['tasks-imports', 'tasks/computes.ts', '../dsl/index.js'],
    ['verify-imports', 'verify/on-cpu.ts', '../backends/cpu/index.js'],
    ['library-knows-no-program', 'verify/prints.ts', '../cli/main.js'],
    ['resolves', 'cli/dangles.ts', './missing.js'],
  ] as const

  test('forbid what it does not', () => {
    const faulty = faults.map(([, file, imported]) => [file, `import * as wrong from '${imported}'\nexport { wrong }\n${tree[file] ?? ''}`])
    const { status, output } = boundaries({ ...tree, ...(Object.fromEntries(faulty) as Files) })

    expect(faults.filter(([rule, file]) => !output.includes(`error ${rule}: ${file}`))).toEqual([])
    expect(status).toBeGreaterThan(0)
  })

  test('forbid a cycle, unless a type closes it', () => {
    const closedBy = (words: string): Outcome =>
      boundaries({
        'dsl/a.ts': `${words} { B } from './b.js'\nexport class A {}\nexport type C = B\n`,
        'dsl/b.ts': "export { A as B } from './a.js'\n",
      })

    expect(closedBy('import').output).toContain('error no-cycles: dsl/a.ts')
    expect(closedBy('import type').output).toContain('no dependency violations found')
  })
})

describe('licences', () => {
  test('of everything installed are on the list', () => {
    expect(runIn({}, 'node_modules/tsx/dist/cli.mjs', join(root, 'scripts/licences.ts'))).toMatchObject({
      status: 0,
      output: expect.stringContaining('fp-ts@'),
    })
  })

  test('are refused when nobody has allowed them', () => {
    expect(['MIT', '(MIT AND CC-BY-3.0)', 'GPL-3.0-only OR MIT'].map(isAllowed)).toEqual([true, true, true])
    expect(['GPL-3.0-only', 'MIT AND GPL-3.0-only', 'unknown', 'MIT*'].map(isAllowed)).toEqual([false, false, false, false])
  })
})
