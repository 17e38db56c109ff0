import { DOMParser } from 'linkedom'

export interface PageElement {
  readonly localName: string
  readonly textContent: string
  readonly outerHTML: string
  readonly attributes: Iterable<{ readonly name: string; readonly value: string }>
}

export interface Page extends PageElement {
  readonly querySelectorAll: (selector: string) => Iterable<PageElement>
}

/** A page as a browser reads it. */
export const pageOf = (text: string): Page => new DOMParser().parseFromString(text, 'text/html').documentElement

export const all = (page: Page, selector: string): readonly PageElement[] => [...page.querySelectorAll(selector)]

/** What would run, or would be fetched: scripts, handlers, and addresses. */
export const dangers = (page: Page): readonly string[] =>
  all(page, '*').flatMap(({ localName, attributes }) => [
    ...(['script', 'iframe', 'object', 'embed', 'link', 'base', 'img', 'form'].includes(localName) ? [localName] : []),
    ...[...attributes].flatMap(({ name, value }) =>
      /^on|^(src|href|action|srcdoc)$/i.test(name) || /url\(|javascript:/i.test(value) ? [`${localName} ${name}=${value}`] : [],
    ),
  ])
