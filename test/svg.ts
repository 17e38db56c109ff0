/** An element of an SVG, as far as tests look at it. */
export interface SvgElement {
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** The text that stands in it directly. */
  readonly text: string
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const plain = (text: string): string =>
  text.replace(/&(?:#(\d+)|#x([\da-f]+)|(\w+));|&/gi, (whole, decimal?: string, hex?: string, name?: string) => {
    const code = decimal === undefined ? (hex === undefined ? undefined : parseInt(hex, 16)) : Number(decimal)
    const known = code === undefined ? entities[name ?? ''] : String.fromCodePoint(code)
    if (known === undefined) throw new Error(`not well-formed: ${whole}`)
    return known
  })

/** The elements of an SVG in their order. What is not well-formed throws. */
export const svgElements = (svg: string): readonly SvgElement[] => {
  if (/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/.test(svg))
    throw new Error('not well-formed: a character that XML does not hold')
  const body = svg.replace(/<\?.*?\?>|<!DOCTYPE[^>]*>|<!--[^]*?-->/g, '')
  const found: { name: string; attributes: Record<string, string>; text: string }[] = []
  const open: (typeof found)[number][] = []
  for (const [whole, closing, name = '', attributes = '', empty, text = ''] of body.matchAll(
    /<(\/?)([\w:]+)((?:\s+[\w:-]+="[^"<]*")*)\s*(\/?)>|([^<]+)|</g,
  )) {
    if (name === '' && text === '') throw new Error(`not well-formed: ${whole}`)
    if (name === '') {
      if (open.length > 0) open.at(-1)!.text += plain(text)
    } else if (closing === '/') {
      if (open.pop()?.name !== name) throw new Error(`not well-formed: ${whole}`)
    } else {
      const pairs = [...attributes.matchAll(/([\w:-]+)="([^"]*)"/g)].map(([, key = '', value = '']) => [key, plain(value)] as const)
      const element = { name, attributes: Object.fromEntries(pairs), text: '' }
      found.push(element)
      if (empty === '') open.push(element)
    }
  }
  if (open.length > 0) throw new Error(`not well-formed: ${open[0]!.name} is not closed`)
  return found
}

/** All that can be read in an SVG. */
export const svgTexts = (svg: string): readonly string[] => svgElements(svg).flatMap(({ name, text }) => (name === 'text' ? [text] : []))
