import { expect, test } from 'vitest'
import { axgrad } from './axgrad.js'

test.each([
  ['a flag', ['train', '--quik'], `axgrad train\n  because: unknown option '--quik'\n  try: did you mean --quick?\n`],
  ['a command', ['trian'], `axgrad\n  because: unknown command 'trian'\n  try: did you mean train?\n`],
  [
    'a flag that is like no other',
    ['check', 'loss.ts', '--zzzzzz'],
    `axgrad check\n  because: unknown option '--zzzzzz'\n  try: axgrad check --help\n`,
  ],
  ['an argument that is missing', ['check'], `axgrad check\n  because: missing required argument 'file'\n  try: axgrad check --help\n`],
])('%s that is wrong is said in three lines', async (_, args, said) => {
  expect(await axgrad(...args)).toEqual({ code: 2, out: '', err: said })
})

test('the help names every command and every exit code, and each command has an example', async () => {
  const { out } = await axgrad('--help')
  const commands = [...out.matchAll(/^ {2}(\w+) (?:\[|<)/gm)].map(([, name = '']) => name).filter((name) => name !== 'help')
  expect(commands).toEqual(['check', 'inspect', 'doctor', 'tune', 'train', 'eval', 'sample', 'report', 'new'])
  for (const code of ['0  ', '1  ', '2  ', '130']) expect(out).toContain(`\n  ${code}`)
  for (const name of commands) expect((await axgrad(name, '--help')).out).toContain(`Example: axgrad ${name}`)
})
