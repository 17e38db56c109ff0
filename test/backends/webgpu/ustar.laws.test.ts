import fc from 'fast-check'
import * as O from 'fp-ts/lib/Option.js'
import { fileIn } from '../../../backends/webgpu/ustar.js'
import { law } from '../../law.js'

const block = 512

const archiveOf = (files: readonly File[]): Uint8Array => Uint8Array.from(Buffer.concat(files.flatMap(entryOf)))

const entryOf = ({ name, contents }: File): readonly Uint8Array[] => {
  const header = Buffer.alloc(block)
  header.write(name, 0)
  header.write(contents.length.toString(8).padStart(11, '0'), 124)
  return [header, contents, Buffer.alloc((block - (contents.length % block)) % block)]
}

interface File {
  readonly name: string
  readonly contents: Uint8Array
}

const name = fc.stringMatching(/^[a-z_.]{1,12}$/)
const files = fc.uniqueArray(fc.record({ name, contents: fc.uint8Array({ maxLength: 1100, size: 'max' }) }), {
  minLength: 1,
  maxLength: 4,
  selector: (file) => file.name,
})

law(
  'every file of an archive is read back',
  fc.property(files, (files) => {
    const archive = archiveOf(files)
    return files.every(({ name, contents }) => fc.stringify(fileIn(name, archive)) === fc.stringify(O.some(contents)))
  }),
)

law(
  'a file that is not there, or not whole, is none',
  fc.property(files, fc.nat(), (files, cut) => {
    const { name, contents } = files.at(-1)!
    const archive = archiveOf(files)
    const padding = (block - (contents.length % block)) % block
    const end = archive.length - padding - 1 - (cut % (contents.length + block))
    return O.isNone(fileIn(`${name}!`, archive)) && O.isNone(fileIn(name, archive.subarray(0, Math.max(0, end))))
  }),
)
