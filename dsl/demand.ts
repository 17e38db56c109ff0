import type { CallSite } from './call-site.js'
import type { Size } from './size.js'

/** What an expression asks of its sizes that only binding them can tell. */
export type Demand =
  | {
      readonly tag: 'sizesEqual'
      readonly op: string
      readonly axis: string
      readonly left: Size
      readonly right: Size
      readonly at: CallSite
    }
  | {
      readonly tag: 'sizeAtLeast'
      readonly op: string
      readonly axis: string
      readonly size: Size
      readonly least: Size
      readonly at: CallSite
    }
  | {
      readonly tag: 'sizeDivides'
      readonly op: string
      readonly axis: string
      readonly size: Size
      readonly by: number
      readonly at: CallSite
    }
