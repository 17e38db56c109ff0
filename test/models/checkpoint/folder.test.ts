import * as E from 'fp-ts/lib/Either.js'
import { describe, expect, test } from 'vitest'
import { evaluate } from '../../../backends/cpu/evaluate.js'
import { i32, nested, program } from '../../../dsl/index.js'
import {
  decoderSpecs,
  familyFor,
  logits,
  printConfig,
  readModel,
  renderCheckpointError,
  type StoredModel,
  tensorsOf,
  writeSafetensors,
} from '../../../models/index.js'
import { tokenizerJson } from '../../../tasks/index.js'
import { right } from '../../right.js'
import { type Example, examples } from './families.js'
import { filesOf, folderOf, shardsOf, weightsFile } from './folders.js'
import { logitsOf, weight } from './hugging-face.js'

const ids = [3, 1, 4, 1, 5, 8]

const logitsBy = ({ config, parameters }: StoredModel): ArrayLike<number> => {
  const forward = program({
    inputs: { params: decoderSpecs(config), ids: i32('batch', 'time') },
    body: (given) => ({ outputs: { all: logits(config)(given.params, given.ids) } }),
  })
  return right(evaluate(forward, { params: parameters, ids: nested([ids]) })).outputs.all.data
}

const families = Object.entries(examples)

describe('a model of another hand gives the logits of its formulas', () => {
  test.each(families)('%s', async (family, example) => {
    const model = right(await readModel(folderOf(filesOf(example)))())
    const expected = logitsOf(example.json, example.peculiar, example.weights, example.isTied, ids).flat()
    expect(model.family).toBe(family)
    const given = logitsBy(model)
    expect(given).toHaveLength(expected.length)
    expected.forEach((x, i) => expect(given[i]).toBeCloseTo(x, 9))
  })

  test.each(families)('%s in shards', async (_family, example) => {
    const whole = right(await readModel(folderOf(filesOf(example)))())
    expect(right(await readModel(folderOf(shardsOf(example, 3)))())).toEqual(whole)
  })
})

test.each(families)('what is written of %s is read again with the same logits, bit for bit', async (_family, example) => {
  const model = right(await readModel(folderOf(filesOf(example)))())
  const files = {
    'config.json': printConfig(model),
    'model.safetensors': writeSafetensors(tensorsOf(model.config, model.parameters)),
  }
  const again = right(await readModel(folderOf(files))())
  expect(again).toEqual(model)
  expect(logitsBy(again)).toEqual(logitsBy(model))
})

test('a config without a family of its own is written as one that computes the same', () => {
  const sizes = { vocab: 5, embed: 4, layers: 1, heads: 2, headDim: 2, ffn: 3 }
  expect(familyFor(sizes)).toEqual(E.right('llama'))
  expect(familyFor({ ...sizes, hasBias: true })).toEqual(E.right('qwen2'))
  expect(familyFor({ ...sizes, hasHeadNorm: true })).toEqual(E.right('qwen3'))
  expect(familyFor({ ...sizes, hasBias: true, hasHeadNorm: true })).toMatchObject({ left: [{ tag: 'unsupported', field: 'hasHeadNorm' }] })
})

test('the ids that end an answer are those of config.json', async () => {
  const stopIds = await Promise.all(families.map(async ([, example]) => right(await readModel(folderOf(filesOf(example)))()).stopIds))
  expect(stopIds).toEqual([[7, 10], [8], [], [2]])
})

const { llama, qwen2 } = examples

/** The tokenizer.json of so many words. */
const wordsOf = (count: number): string => JSON.stringify(tokenizerJson(Array.from({ length: count }, (_, i) => `w${String(i)}`)))

test('a model is read with its tokenizer, and without where there is none', async () => {
  const files = { ...filesOf(llama), 'tokenizer.json': wordsOf(7), 'tokenizer_config.json': '{}' }
  const { tokenizer } = right(await readModel(folderOf(files))())
  expect(tokenizer?.encode('w3 w1')).toEqual(E.right([3, 1]))
  expect(tokenizer?.decode([5, 0])).toEqual(E.right('w5 w0'))
  expect(right(await readModel(folderOf(filesOf(llama)))())).not.toHaveProperty('tokenizer')
})

const without = (example: Example, name: string): Example => {
  const { [name]: _left, ...weights } = example.weights
  return { ...example, weights }
}
const withTensor = (example: Example, name: string, replaced: ReturnType<typeof weight>): Example => ({
  ...example,
  weights: { ...example.weights, [name]: replaced },
})
const norm = 'model.norm.weight'
const index = (map: unknown) => ({ ...shardsOf(llama, 2), 'model.safetensors.index.json': JSON.stringify({ weight_map: map }) })
const shard = 'model-00001-of-00002.safetensors'

describe('a folder that holds no model is refused', () => {
  test.each([
    ['nothing in it', {}, [{ tag: 'unreadable', because: 'there is no such file' }]],
    ['no weights', { 'config.json': JSON.stringify(llama.json) }, [{ tag: 'unreadable' }]],
    ['half a config', { ...filesOf(llama), 'config.json': '{"vocab_size"' }, [{ tag: 'notJson', file: 'config.json' }]],
    ['half of the weights', { ...filesOf(llama), 'model.safetensors': weightsFile(llama.weights).subarray(0, 5000) }, [{ tag: 'notSafetensors', error: { tag: 'outside' } }]],
    ['a tensor less', filesOf(without(llama, norm)), [{ tag: 'missingTensor', tensor: norm }]],
    ['no output matrix', filesOf(without(llama, 'lm_head.weight')), [{ tag: 'missingTensor', tensor: 'lm_head.weight' }]],
    ['no biases', filesOf({ ...qwen2, weights: without(qwen2, 'model.layers.0.self_attn.q_proj.bias').weights }), [{ tag: 'missingTensor', tensor: 'model.layers.0.self_attn.q_proj.bias' }]],
    ['a tensor more', filesOf(withTensor(llama, 'model.layers.2.mlp.up_proj.weight', weight(1, 6, 8))), [{ tag: 'unexpectedTensor', tensor: 'model.layers.2.mlp.up_proj.weight' }]],
    ['a norm too long', filesOf(withTensor(llama, norm, weight(1, 9))), [{ tag: 'wrongShape', tensor: norm, has: [9], needs: [8] }]],
    ['a matrix turned round', filesOf(withTensor(llama, 'model.layers.0.mlp.up_proj.weight', weight(1, 8, 6))), [{ tag: 'wrongShape', has: [8, 6], needs: [6, 8] }]],
    ['a weight that is NaN', filesOf(withTensor(llama, norm, { shape: [8], data: [1, 2, NaN, 4, 5, 6, 7, 8] })), [{ tag: 'notFinite', tensor: norm, place: 2, value: NaN }]],
    ['a weight that is infinite', filesOf(withTensor(llama, norm, { shape: [8], data: [1, 2, 3, 4, 5, 6, 7, -Infinity] })), [{ tag: 'notFinite', tensor: norm, place: 7 }]],
    ['two faults', filesOf(withTensor(without(llama, 'lm_head.weight'), norm, weight(1, 9))), [{ tag: 'wrongShape' }, { tag: 'missingTensor' }]],
    ['an index that is no JSON', { ...filesOf(llama), 'model.safetensors.index.json': '' }, [{ tag: 'notJson' }]],
    ['an index of nothing', index({}), llama.weights],
    ['an index of another folder', index({ [norm]: '../model.safetensors' }), [{ tag: 'wrongField', path: `weight_map.${norm}` }]],
    ['a shard that is not there', index({ [norm]: 'model-00003-of-00002.safetensors' }), [{ tag: 'unreadable' }]],
    ['half a tokenizer', { ...filesOf(llama), 'tokenizer.json': '{"model"' }, [{ tag: 'badTokenizer', error: { tag: 'notJson', file: 'tokenizer.json' } }]],
    ['a tokenizer of no kind', { ...filesOf(llama), 'tokenizer.json': '{"model":{}}' }, [{ tag: 'badTokenizer', error: { tag: 'wrongField' } }]],
    ['a tokenizer of a greater model', { ...filesOf(llama), 'tokenizer.json': wordsOf(12) }, [{ tag: 'moreIds', ids: 12, vocab: 11 }]],
    ['a shard without the tensor', index({ more: shard }), [{ tag: 'missingTensor', tensor: 'more' }]],
  ])('%s', async (_what, files, errors) => {
    const read = await readModel(folderOf(files))()
    const found = E.isLeft(read) ? read.left : []
    if (Array.isArray(errors)) expect(found).toMatchObject(errors)
    expect(found).toHaveLength(Object.keys(errors).length)
    for (const error of found) expect(renderCheckpointError(error)).toMatch(/^.+\n {2}because: .+\n {2}try: .+$/)
  })

  test('a folder in place of a file', async () => {
    const folder = folderOf({})
    expect(await readModel(`${folder}/\0`)()).toMatchObject({ left: [{ tag: 'unreadable' }] })
  })
}) // prettier-ignore
