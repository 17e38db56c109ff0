import { type Expr, partsOf } from '../../../../compiler/index.js'

/** The number of an expression: equal ones have the same. */
export type Numbers = (e: Expr) => number

const nameOf = (e: Expr): string => {
  switch (e.tag) {
    case 'literal':
      return `${e.dtype} ${Object.is(e.value, -0) ? '-0' : String(e.value)}`
    case 'parameter':
      return `p${String(e.slot)}`
    case 'index':
    case 'variable':
      return e.name
    case 'read':
      return `read ${String(e.buffer)}`
    case 'op':
      return `${e.dtype} ${e.op}`
  }
}

export const createNumbers = (): Numbers => {
  const ofObjects = new Map<Expr, number>()
  const ofTexts = new Map<string, number>()
  const numberOf: Numbers = (e) => {
    const known = ofObjects.get(e)
    if (known !== undefined) return known
    const text = `${nameOf(e)}(${partsOf(e).map(numberOf).join()})`
    const number = ofTexts.get(text) ?? ofTexts.size
    ofTexts.set(text, number)
    ofObjects.set(e, number)
    return number
  }
  return numberOf
}
