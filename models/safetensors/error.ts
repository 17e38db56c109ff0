import { report, type ThreeLines } from '../../dsl/index.js'

/** What is wrong with a safetensors file; bytes are counted from the start of the data that follow the header, those of the header from that of the file. */
export type SafetensorsError =
  | { readonly tag: 'truncated'; readonly has: number; readonly needs: number }
  | { readonly tag: 'headerTooLong'; readonly bytes: number; readonly limit: number }
  | { readonly tag: 'notJson'; readonly because: string }
  | { readonly tag: 'duplicateKey'; readonly key: string }
  | { readonly tag: 'wrongField'; readonly path: string; readonly because: string }
  | { readonly tag: 'unknownDtype'; readonly tensor: string; readonly dtype: string; readonly known: readonly string[] }
  | { readonly tag: 'outside'; readonly tensor: string; readonly from: number; readonly to: number; readonly end: number }
  | {
      readonly tag: 'wrongSize'
      readonly tensor: string
      readonly shape: readonly number[]
      readonly bytes: number
      readonly needs: number
    }
  | { readonly tag: 'overlap'; readonly tensor: string; readonly other: string; readonly from: number; readonly to: number }
  | { readonly tag: 'hole'; readonly from: number; readonly to: number }

const again = 'copy the file again: it was cut or changed on its way'
const rewrite = 'write the file again with the tool that made it'

/** What and where, because, try. */
export const safetensorsErrorLines = (error: SafetensorsError): ThreeLines => {
  switch (error.tag) {
    case 'truncated':
      return ['a safetensors file', `it has ${String(error.has)} bytes and its header asks for ${String(error.needs)}`, again]
    case 'headerTooLong':
      return [
        'the header of a safetensors file',
        `it would have ${String(error.bytes)} bytes, and the format allows ${String(error.limit)}`,
        'see whether this is a safetensors file',
      ]
    case 'notJson':
      return ['the header of a safetensors file', error.because, 'see whether this is a safetensors file']
    case 'duplicateKey':
      return [`'${error.key}' in the header of a safetensors file`, `one object has it twice`, rewrite]
    case 'wrongField':
      return [`'${error.path}' in the header of a safetensors file`, error.because, rewrite]
    case 'unknownDtype':
      return [
        `tensor '${error.tensor}'`,
        `its type is ${error.dtype}, and ${error.known.join(', ')} can be read`,
        'convert it, or leave it out if it is no parameter',
      ]
    case 'outside':
      return [`tensor '${error.tensor}'`, `it lies at bytes ${String(error.from)} to ${String(error.to)} of ${String(error.end)}`, again]
    case 'wrongSize':
      return [
        `tensor '${error.tensor}' of sizes [${error.shape.join(', ')}]`,
        `it needs ${String(error.needs)} bytes and has ${String(error.bytes)}`,
        rewrite,
      ]
    case 'overlap':
      return [
        `tensor '${error.tensor}'`,
        `it lies at bytes ${String(error.from)} to ${String(error.to)}, some of which are those of '${error.other}'`,
        rewrite,
      ]
    case 'hole':
      return [
        `bytes ${String(error.from)} to ${String(error.to)} of a safetensors file`,
        'they belong to no tensor, which the format does not allow',
        rewrite,
      ]
  }
}

export const renderSafetensorsError = (error: SafetensorsError): string => report(...safetensorsErrorLines(error))
