/** A table whose first column is text and whose others are numbers. */
export const table = (header: readonly string[], rows: readonly (readonly string[])[]): string => {
  const all = [header, ...rows]
  const widths = header.map((_, column) => Math.max(3, ...all.map((row) => row[column]?.length ?? 0)))
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => (column === 0 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!))).join(' | ')} |`
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [line(header), rule, ...rows.map(line)].join('\n')
}

export const absent = '–'

/** Three digits. */
export const digits = (x: number): string => {
  if (!Number.isFinite(x)) return absent
  const whole = Math.abs(x) >= 100
  return whole ? Math.round(x).toLocaleString('en-GB') : x.toPrecision(3)
}

export const percent = (part: number): string => (Number.isFinite(part) ? `${(100 * part).toFixed(0)} %` : absent)

export const megabytes = (bytes: number | undefined): string => (bytes === undefined ? absent : digits(bytes / 2 ** 20))
