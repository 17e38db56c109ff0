import type { Instr, Literal, MemoryImport, ValType, Variable, WasmFunction, WasmModule } from './encode/module.js'
import { memoryOps } from './encode/opcodes.js'

/** The module in the text format, folded: operands stand inside their instruction. */
export const printModule = ({ memory, functions }: WasmModule): string => {
  const imports = memory === undefined ? [] : [leaf(memoryHead(memory))]
  return print({ head: 'module', body: [...imports, ...functions.map(functionTree)] })
}

export const printFunction = (fn: WasmFunction): string => print(functionTree(fn))

/** `(head body…)` */
interface Tree {
  readonly head: string
  readonly body: readonly Tree[]
}

const leaf = (head: string): Tree => ({ head, body: [] })

// Layout

const width = 110

/** On one line where it fits, else each part of the body on its own. */
const print = (tree: Tree, indent = ''): string => {
  const line = flat(tree)
  if (tree.body.length === 0 || (!isStructure(tree) && indent.length + line.length <= width)) return indent + line
  return `${indent}(${tree.head}\n${tree.body.map((part) => print(part, `${indent}  `)).join('\n')})`
}

const flat = ({ head, body }: Tree): string => `(${[head, ...body.map(flat)].join(' ')})`

const isStructure = ({ head }: Tree): boolean => /^(module|func|block|loop)\b/.test(head)

// What each part of a module is in text

const memoryHead = ({ module, name, min, max, shared }: MemoryImport): string =>
  `import "${module}" "${name}" (memory ${min} ${max}${shared ? ' shared' : ''})`

const functionTree = ({ name, params, results, locals, body, exported }: WasmFunction): Tree => {
  const parts = [exported ? [`(export "${name}")`] : [], params.map(declare('param')), results.map(result)]
  return { head: ['func', `$${name}`, ...parts.flat()].join(' '), body: [...localsTree(locals), ...body.map(instrTree)] }
}

const declare =
  (kind: string) =>
  ({ name, type }: Variable): string =>
    `(${kind} $${name} ${type})`

const result = (type: ValType): string => `(result ${type})`

const localsTree = (locals: readonly Variable[]): readonly Tree[] => locals.map(({ name, type }) => leaf(`local $${name} ${type}`))

const instrTree = (instr: Instr): Tree => {
  switch (instr.tag) {
    case 'numeric':
      return { head: instr.op, body: instr.args.map(instrTree) }
    case 'lane':
      return { head: [instr.op, ...instr.lanes].join(' '), body: instr.args.map(instrTree) }
    case 'memory':
      return { head: `${instr.op}${access(instr)}`, body: instr.args.map(instrTree) }
    case 'const':
      return leaf(`${instr.type}.const ${literal(instr)}`)
    case 'get':
      return leaf(`local.get $${instr.name}`)
    case 'set':
      return { head: `local.set $${instr.name}`, body: [instrTree(instr.value)] }
    case 'tee':
      return { head: `local.tee $${instr.name}`, body: [instrTree(instr.value)] }
    case 'block':
      return { head: withResult(`block $${instr.label}`, instr.result), body: instr.body.map(instrTree) }
    case 'loop':
      return { head: `loop $${instr.label}`, body: instr.body.map(instrTree) }
    case 'if': {
      const then = { head: 'then', body: instr.then.map(instrTree) }
      const otherwise = instr.else.length === 0 ? [] : [{ head: 'else', body: instr.else.map(instrTree) }]
      return { head: withResult('if', instr.result), body: [instrTree(instr.condition), then, ...otherwise] }
    }
    case 'br':
      return leaf(`br $${instr.label}`)
    case 'br_if':
      return { head: `br_if $${instr.label}`, body: [instrTree(instr.condition)] }
    case 'call':
      return { head: `call $${instr.fn}`, body: instr.args.map(instrTree) }
    case 'select':
      return { head: 'select', body: [instr.then, instr.else, instr.condition].map(instrTree) }
    case 'drop':
      return { head: 'drop', body: [instrTree(instr.value)] }
  }
}

const withResult = (head: string, type: ValType | null): string => (type === null ? head : `${head} ${result(type)}`)

/** The format's own default for the alignment is the size of the access. */
const access = ({ op, offset, align }: Extract<Instr, { tag: 'memory' }>): string =>
  `${offset === 0 ? '' : ` offset=${offset}`}${align === memoryOps[op][3] ? '' : ` align=${align}`}`

// Numbers

const literal = (constant: Literal): string => {
  switch (constant.type) {
    case 'i32':
      return String(constant.bits | 0)
    case 'i64':
      return String(BigInt.asIntN(64, constant.bits))
    case 'f32':
      return float(f32Of(constant.bits), constant.bits >>> 31 === 1, `0x${(constant.bits & 0x7fffff).toString(16)}`, shortF32)
    case 'f64':
      return float(f64Of(constant.bits), constant.bits >> 63n === 1n, `0x${(constant.bits & 0xfffffffffffffn).toString(16)}`, String)
    case 'v128':
      return ['i32x4', ...[0n, 1n, 2n, 3n].map((lane) => `0x${((constant.bits >> (32n * lane)) & 0xffffffffn).toString(16)}`)].join(' ')
  }
}

const float = (value: number, negative: boolean, payload: string, finite: (size: number) => string): string => {
  const size = Number.isNaN(value) ? `nan:${payload}` : Math.abs(value) === Infinity ? 'inf' : finite(Math.abs(value))
  return negative ? `-${size}` : size
}

const view = new DataView(new ArrayBuffer(8))

const f32Of = (bits: number): number => {
  view.setUint32(0, bits)
  return view.getFloat32(0)
}

const f64Of = (bits: bigint): number => {
  view.setBigUint64(0, bits)
  return view.getFloat64(0)
}

/** The shortest decimal that reads back as this float32: nine digits always do. */
const shortF32 = (value: number): string => {
  const decimals = [1, 2, 3, 4, 5, 6, 7, 8, 9].map((digits) => String(Number(value.toPrecision(digits))))
  return decimals.find((decimal) => Math.fround(Number(decimal)) === value) ?? String(value)
}
