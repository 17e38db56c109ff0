import type { Command, Plan } from '../../../../compiler/index.js'
import * as wasm from '../asm.js'
import type { Instr, WasmFunction } from '../encode.js'

/**
 * A run inside WebAssembly: every thread goes through the same list of commands. Of each it takes chunks, one after the other, until none
 * is left, and waits for the others. Which thread takes which chunk changes nothing: chunks are cut by sizes alone.
 */

const { i32, memory } = wasm

/** The words at the head of a list: how many threads there are, how many have arrived at the barrier, and how often all have. */
export const head = { threads: 0, arrived: 1, turn: 2, words: 4 } as const

/** The words of a command: the next chunk to take, how many there are, the units of each, the units of all; then what it is called with. */
export const words = { next: 0, chunks: 1, perChunk: 2, units: 3, own: 4 } as const

/** How many words a command is called with. */
export const argumentsOf = (command: Command): number => (command.tag === 'copy' ? 3 : 1 + command.buffers.length)

/** The word at which each command of a list begins, and after them the length of the list. */
export const placesOf = (commands: readonly Command[]): readonly number[] =>
  commands.reduce<number[]>(
    (places, command) => {
      places.push(places.at(-1)! + words.own + argumentsOf(command))
      return places
    },
    [head.words],
  )

/** How often to look before sleeping: some microseconds. */
const patience = 4000

const arrival = { offset: 4 * head.arrived }
const turns = { offset: 4 * head.turn }

/** Wait until every thread is here. */
const barrier = wasm.fn('barrier', { list: 'i32' }, null, { turn: 'i32', left: 'i32' }, ({ list, turn, left }) => [
  wasm.set(turn, i32['atomic.load'](list, turns)),
  wasm.when(
    i32.eq(i32.add(i32['atomic.rmw.add'](list, 1, arrival), 1), i32.load(list, { offset: 4 * head.threads })),
    [
      i32['atomic.store'](list, 0, arrival),
      i32['atomic.store'](list, i32.add(turn, 1), turns),
      wasm.drop(memory['atomic.notify'](list, -1, turns)),
    ],
    [
      wasm.set(left, patience),
      wasm.block('together', [
        wasm.loop('look', [
          wasm.brIf('together', i32.ne(i32['atomic.load'](list, turns), turn)),
          wasm.set(left, i32.sub(left, 1)),
          wasm.when(i32.le_s(left, 0), [wasm.drop(memory['atomic.wait32'](list, turn, -1n, turns))]),
          wasm.br('look'),
        ]),
      ]),
    ],
  ),
])

/** Copy so many bytes, a multiple of four. */
const copyBytes = wasm.fn('copyBytes', { args: 'i32' }, null, { from: 'i32', to: 'i32', end: 'i32' }, ({ args, from, to, end }) => [
  wasm.set(from, i32.load(args)),
  wasm.set(to, i32.load(args, { offset: 4 })),
  wasm.set(end, i32.add(from, i32.load(args, { offset: 8 }))),
  wasm.block('done', [
    wasm.loop('next', [
      wasm.brIf('done', i32.ge_u(from, end)),
      i32.store(to, i32.load(from)),
      wasm.set(from, i32.add(from, 4)),
      wasm.set(to, i32.add(to, 4)),
      wasm.br('next'),
    ]),
  ]),
])

const [list, scratch, first, last, chunk] = ['list', 'scratch', 'first', 'last', 'chunk'].map((name) => wasm.local('i32', name)) as [
  wasm.Local<'i32'>,
  wasm.Local<'i32'>,
  wasm.Local<'i32'>,
  wasm.Local<'i32'>,
  wasm.Local<'i32'>,
]

/** Take chunks of a command until there are no more. */
const takeChunks = (at: number, work: (args: wasm.Expr<'i32'>, from: wasm.Expr<'i32'>, to: wasm.Expr<'i32'>) => Instr): Instr => {
  const word = (name: keyof typeof words) => i32.load(list, { offset: 4 * (at + words[name]) })
  const from = i32.mul(chunk, word('perChunk'))
  const after = i32.mul(i32.add(chunk, 1), word('perChunk'))
  return wasm.block('none left', [
    wasm.loop('take', [
      wasm.set(chunk, i32['atomic.rmw.add'](list, 1, { offset: 4 * (at + words.next) })),
      wasm.brIf('none left', i32.ge_u(chunk, word('chunks'))),
      work(i32.add(list, 4 * (at + words.own)), from, i32.select(i32.lt_s(after, word('units')), after, word('units'))),
      wasm.br('take'),
    ]),
  ])
}

/** What all threads call: the address of the list, of the thread's own scratch memory, the first command and the one after the last. */
export const emitRun = (
  { kernels, commands }: Pick<Plan, 'kernels' | 'commands'>,
  nameOf: (kernel: string) => string,
): readonly WasmFunction[] => {
  const places = placesOf(commands)
  const each = commands.map((command, i) => {
    const call = (args: wasm.Expr<'i32'>, from: wasm.Expr<'i32'>, to: wasm.Expr<'i32'>): Instr =>
      command.tag === 'copy'
        ? wasm.call(copyBytes, { args })
        : { tag: 'call', fn: nameOf(kernels[command.kernel]?.name ?? ''), args: [args, scratch, from, to] }
    const next = commands[i + 1]
    const isAlone = i32.eq(i32.load(list, { offset: 4 * head.threads }), 1)
    const wait = next?.tag === 'dispatch' && next.beside ? [] : [wasm.when(i32.eqz(isAlone), [wasm.call(barrier, { list })])]
    return wasm.when(i32.and(i32.le_s(first, i), i32.lt_s(i, last)), [takeChunks(places[i]!, call), ...wait])
  })
  const run: WasmFunction = {
    name: runName,
    params: [list, scratch, first, last].map(({ name, type }) => ({ name, type })),
    results: [],
    locals: [{ name: chunk.name, type: 'i32' }],
    body: each,
    exported: true,
  }
  return [barrier, copyBytes, run]
}

export const runName = 'run'
