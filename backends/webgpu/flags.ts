// The numbers of WebGPU's flag namespaces, which the specification fixes. Dawn offers them as properties of an object meant to be
// copied onto globalThis; a library leaves its user's globals alone.

export const bufferUsage = {
  mapRead: 0x0001,
  copySrc: 0x0004,
  copyDst: 0x0008,
  uniform: 0x0040,
  storage: 0x0080,
  queryResolve: 0x0200,
} as const

export const mapMode = { read: 0x0001 } as const

export const shaderStage = { compute: 0x0004 } as const
