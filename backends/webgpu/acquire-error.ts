import { report } from '../../dsl/index.js'

/** Each attempt on the way to a device that can fail, in the order in which they are made. */
export type AcquireError =
  | { readonly tag: 'packageAbsent'; readonly package: string; readonly tested: string }
  | { readonly tag: 'platformUnsupported'; readonly package: string; readonly platform: string; readonly supported: readonly string[] }
  | { readonly tag: 'driverAbsent'; readonly package: string; readonly version: string; readonly path: string; readonly tested: string }
  | { readonly tag: 'libraryNotPrepared'; readonly folder: string; readonly cause: string }
  | { readonly tag: 'libraryNotLoadable'; readonly path: string; readonly cause: string }
  | { readonly tag: 'noAdapter'; readonly path: string; readonly cause: string }
  | { readonly tag: 'deviceRefused'; readonly adapterName: string; readonly cause: string }
  | { readonly tag: 'noHalves'; readonly adapterName: string; readonly precision: string }

/** Dawn's messages go over several lines; the first one names the fault. */
const firstLine = (message: string): string => message.split('\n', 1)[0] ?? message

export const renderAcquireError = (error: AcquireError): string => {
  switch (error.tag) {
    case 'packageAbsent':
      return report(
        `the npm package '${error.package}'`,
        `it is installed neither beside axgrad nor in this project`,
        `npm install ${error.package}@${error.tested}`,
      )
    case 'platformUnsupported':
      return report(
        `'${error.package}' on ${error.platform}`,
        `it has binaries for ${error.supported.join(', ')}`,
        `choose the backend 'cpu'`,
      )
    case 'driverAbsent':
      return report(
        `the driver of the software adapter in '${error.package}'`,
        `version ${error.version} has no file ${error.path}`,
        `npm install ${error.package}@${error.tested}`,
      )
    case 'libraryNotPrepared':
      return report(
        `preparing the software adapter in ${error.folder}`,
        firstLine(error.cause),
        `set AXGRAD_CACHE to a folder that can be written`,
      )
    case 'libraryNotLoadable':
      return report(`loading ${error.path}`, firstLine(error.cause), `reinstall the npm package 'webgpu'`)
    case 'noAdapter':
      return report(
        `a GPU adapter from ${error.path}`,
        firstLine(error.cause),
        `choose the backend 'software' or 'cpu', or install a Vulkan driver`,
      )
    case 'noHalves':
      return report(
        `${error.precision} on ${error.adapterName}`,
        `it has no numbers of 16 bits (shader-f16)`,
        `choose the precision 'f32', or an adapter of which \`npx axgrad doctor\` says that it has shader-f16`,
      )
    case 'deviceRefused':
      return report(`a device on ${error.adapterName}`, firstLine(error.cause), `release the other devices of this process`)
  }
}
