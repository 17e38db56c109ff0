import * as E from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import { parseChatTemplate, renderTokenizerError } from '../../../models/index.js'
import { right } from '../../right.js'

/** As Qwen2's. */
const template =
  "{% for message in messages %}{% if message.role == 'tool' %}{{ raise_exception('no tools') }}{% endif %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>' + '\\n' }}{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}"

const chat = right(parseChatTemplate(template))

test('a conversation is written as the template says, up to where the model is to speak', () => {
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: '{{ 2 + 2 }}?' },
  ]
  const said = '<|im_start|>system\nBe brief.<|im_end|>\n<|im_start|>user\n{{ 2 + 2 }}?<|im_end|>\n'
  expect(chat(messages, { addGenerationPrompt: false })).toEqual(E.right(said))
  expect(chat(messages, { addGenerationPrompt: true })).toEqual(E.right(`${said}<|im_start|>assistant\n`))
})

test('variables reach the template', () => {
  const render = right(parseChatTemplate('{{ bos_token }}{{ messages[0].content }}'))
  expect(render([{ role: 'user', content: 'x' }], { addGenerationPrompt: false, variables: { bos_token: '<s>' } })).toEqual(E.right('<s>x'))
})

test('a template that is none, and a conversation that it refuses, are errors', () => {
  expect(parseChatTemplate('{% for %}')).toMatchObject(E.left({ tag: 'notRead' }))
  const made = chat([{ role: 'tool', content: '' }], { addGenerationPrompt: false })
  expect(made).toMatchObject(E.left({ tag: 'notRendered' }))
  expect(E.isLeft(made) && renderTokenizerError(made.left)).toContain('no tools')
})
