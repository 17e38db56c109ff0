import ora from 'ora'

/** Where a run says how it goes. Somebody who looks on sees a sign of life every few seconds. */
export interface Show {
  /** Something begins that may take a while. */
  readonly begin: (what: string) => void
  /** Something within it that may take a while, until what this gives is called. */
  readonly during: (what: string) => () => void
  /** How far it is; only the newest matters. */
  readonly now: (text: string) => void
  /** Something to keep. */
  readonly line: (text: string) => void
  readonly end: () => void
}

/** The longest silence, in milliseconds. */
const longestSilence = 4000

const elapsed = (since: number): string => `${((Date.now() - since) / 1000).toFixed(0)} s`

/** Lines, for a file or a pipe: each step's where some time has passed since the last. */
export const plainShow = (print: (line: string) => void, every = 1000): Show => {
  let doing = { what: '', since: Date.now() }
  let last = Date.now()
  let unsaid: string | undefined
  const say = (text: string): void => {
    last = Date.now()
    unsaid = undefined
    print(text)
  }
  const alive = setInterval(() => {
    if (Date.now() - last >= longestSilence) say(unsaid ?? `  still ${doing.what}, ${elapsed(doing.since)}`)
  }, 500)
  alive.unref()
  return {
    begin: (what) => {
      doing = { what, since: Date.now() }
      say(what)
    },
    during: (what) => {
      const before = doing
      doing = { what, since: Date.now() }
      say(`  ${what}`)
      return () => {
        doing = before
      }
    },
    now: (text) => {
      doing = { what: 'at the next step', since: Date.now() }
      if (Date.now() - last >= every) say(text)
      else unsaid = text
    },
    line: (text) => {
      if (unsaid !== undefined) print(unsaid)
      say(text)
    },
    end: () => {
      if (unsaid !== undefined) print(unsaid)
      clearInterval(alive)
    },
  }
}

/** Whether somebody asks for none: https://no-color.org. */
const isWithoutColor = ({ NO_COLOR = '' }: NodeJS.ProcessEnv): boolean => NO_COLOR !== ''

/** One line that changes, on a terminal. */
const livelyShow = (stream: NodeJS.WriteStream): Show => {
  const spinner = ora({ stream, discardStdin: false, ...(isWithoutColor(process.env) && { color: false as const }) })
  const line = (text: string): void => {
    spinner.clear()
    stream.write(`${text}\n`)
    spinner.render()
  }
  return {
    begin: (what) => void spinner.start(what),
    during: (what) => {
      const before = spinner.text
      spinner.start(before === '' ? what : `${before}: ${what}`)
      return () => void spinner.start(before)
    },
    now: (text) => void spinner.start(text),
    line,
    end: () => void spinner.stop(),
  }
}

const printers = {
  stdout: (line: string): void => {
    console.log(line)
  },
  stderr: (line: string): void => {
    console.error(line)
  },
} as const

/** On a stream as it is: somebody at a terminal, or a file. */
export const showOn = (to: keyof typeof printers): Show => (process[to].isTTY ? livelyShow(process[to]) : plainShow(printers[to]))
