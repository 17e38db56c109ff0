import * as E from 'fp-ts/lib/Either.js'
import { expect, test } from 'vitest'
import { holdTree, renderTrainError } from '../../training/index.js'
import { loadSpeaker } from '../../training/speech.js'
import { config, initial, onCpu, parameters, right } from './tiny.js'

test('a token beyond the slots of a cache is refused before anything is run, and those before it are drawn', () =>
  onCpu(async (device) => {
    const params = right(await holdTree(device)(parameters, initial)())
    const speaker = right(await loadSpeaker(device)(config)())
    const speech = right(await speaker.begun(params, [[1, 2], [3]], 14)())
    const drawnAt = (starts: readonly number[]) =>
      speaker.drawn('whole', params, speech, { starts, uniform: [0.3, 0.6], temperature: 1, topK: config.vocab, topP: 1 })()
    expect(speech.slots).toBe(16)
    expect(right(await drawnAt([15, 1])).ids.data).toHaveLength(2)
    const refused = await drawnAt([1, 16])
    expect(E.isLeft(refused) && refused.left).toEqual({ tag: 'cacheFull', row: 1, place: 16, slots: 16 })
    expect(E.isLeft(refused) && renderTrainError(refused.left)).toMatchInlineSnapshot(`
      "token 16 of row 1
        because: the cache of keys and values has 16 slots, one a token
        try: begin the answers with room for more tokens"
    `)
    speaker.dropped(speech)
  }))
