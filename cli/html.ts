/** Text that is already HTML. */
export interface Html {
  readonly html: string
}

type Part = Html | string | number | readonly Part[]

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' }

// HTML has no way to write these, not even as references.
const unwritable = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\ufffe\uffff]|\p{Cs}/gu

const escaped = (text: string): string => text.replace(unwritable, '\ufffd').replace(/[&<>"']/g, (one) => entities[one] ?? one)

const isHtml = (part: Part): part is Html => typeof part === 'object' && 'html' in part

const written = (part: Part): string => {
  if (typeof part === 'string') return escaped(part)
  if (typeof part === 'number') return String(part)
  return isHtml(part) ? part.html : part.map(written).join('')
}

/** HTML as it stands in the source; whatever is put into it is text, unless it is HTML itself. */
export const html = (source: TemplateStringsArray, ...parts: readonly Part[]): Html => ({
  html: source.map((text, i) => text + (i < parts.length ? written(parts[i] ?? '') : '')).join(''),
})

/** What a library has drawn. */
export const drawn = (svg: string): Html => ({ html: svg })

export const nothing: Html = { html: '' }
