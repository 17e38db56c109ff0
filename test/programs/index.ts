/**
 * Random programs over the whole vocabulary, for laws that hold for every program. They shrink to few steps on small axes, and print
 * as programs with their values.
 */
import fc from 'fast-check'
import { printProgram } from '../../dsl/index.js'
import { assemble, type Assembled } from './assemble.js'
import { withGradients } from './gradients.js'
import { type Recipe, type RecipeSettings, recipes } from './recipe.js'

export { smallSizes } from './recipe.js'
export type { RecipeSettings } from './recipe.js'

export type AnyProgram = Assembled

const textOf = ({ program, inputs, state }: Assembled): string =>
  [
    printProgram(program),
    ...Object.entries({ ...inputs, ...state }).map(([name, { sizes, data }]) => `${name} = [${sizes.join(', ')}] ${data.join(' ')}`),
  ].join('\n')

const readable = (assembled: Assembled): AnyProgram =>
  Object.defineProperty(assembled, fc.toStringMethod, { value: () => `\n${textOf(assembled)}\n` })

const followed =
  (settings: RecipeSettings) =>
  (recipe: Recipe): AnyProgram =>
    readable(assemble(recipe, settings))

/** Programs over axes of these sizes, of up to so many steps, with tensors of up to so many elements. */
export const programsOf = (settings: RecipeSettings = {}): fc.Arbitrary<AnyProgram> => recipes(settings).map(followed(settings))

/** Programs as above, each of which gives its gradients, too: of all float outputs by each float input. */
export const programsWithGradients = (settings: RecipeSettings = {}): fc.Arbitrary<AnyProgram> =>
  recipes(settings).map((recipe) => readable(withGradients(assemble(recipe, settings))))

/** A program and the same again, of nodes of its own. */
export const programsTwice: fc.Arbitrary<readonly [AnyProgram, AnyProgram]> = recipes().map((recipe) => [
  followed({})(recipe),
  followed({})(recipe),
])

export const anyProgram: fc.Arbitrary<AnyProgram> = programsOf()

/** Sizes around a vector's, a workgroup's and a tile's edge. */
export const largeSizes: RecipeSettings = { sizes: fc.constantFrom(63, 64, 65, 70, 2), elements: 5000, steps: 12 }
