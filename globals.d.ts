// What we use of WebAssembly. TypeScript declares it in its DOM library alone, which we leave out (see tsconfig.json).
declare namespace WebAssembly {
  type Bytes = Uint8Array | ArrayBuffer
  type ImportValue = Memory | Global | Table | number | bigint | ((...args: never[]) => unknown)
  type Imports = Readonly<Record<string, Readonly<Record<string, ImportValue>>>>
  type ExportValue = Memory | Global | Table | ((...args: number[]) => number)

  class Module {
    constructor(bytes: Bytes)
    static exports(module: Module): { readonly name: string; readonly kind: string }[]
    static imports(module: Module): { readonly module: string; readonly name: string; readonly kind: string }[]
  }

  class Instance {
    constructor(module: Module, imports?: Imports)
    readonly exports: Readonly<Record<string, ExportValue>>
  }

  class Memory {
    constructor(descriptor: { readonly initial: number; readonly maximum?: number; readonly shared?: boolean })
    readonly buffer: ArrayBuffer | SharedArrayBuffer
    grow(pages: number): number
  }

  class Global {
    constructor(descriptor: { readonly value: 'i32' | 'i64' | 'f32' | 'f64'; readonly mutable?: boolean }, value?: number | bigint)
    value: number | bigint
  }

  class Table {
    constructor(descriptor: { readonly element: 'anyfunc' | 'externref'; readonly initial: number; readonly maximum?: number })
    readonly length: number
  }

  class CompileError extends Error {}
  class LinkError extends Error {}
  class RuntimeError extends Error {}

  function validate(bytes: Bytes): boolean
  function compile(bytes: Bytes): Promise<Module>
  function instantiate(module: Module, imports?: Imports): Promise<Instance>
}
