// What we use of WebAssembly. TypeScript declares it in its DOM library alone, which we leave out (see tsconfig.json).
declare namespace WebAssembly {
  type Bytes = Uint8Array | ArrayBuffer
  type Imports = Readonly<Record<string, Readonly<Record<string, Memory | ((...args: never[]) => unknown)>>>>

  class Module {
    constructor(bytes: Bytes)
  }

  class Instance {
    constructor(module: Module, imports?: Imports)
    readonly exports: Readonly<Record<string, (...args: number[]) => number>>
  }

  class Memory {
    constructor(descriptor: { readonly initial: number; readonly maximum?: number; readonly shared?: boolean })
    readonly buffer: ArrayBuffer | SharedArrayBuffer
    grow(pages: number): number
  }

  function validate(bytes: Bytes): boolean
  function compile(bytes: Bytes): Promise<Module>
  function instantiate(module: Module, imports?: Imports): Promise<Instance>
}
