const anyNumber = 'where it stands the other factor is 0, and the base not above 0, of which xʸ has no second derivative by x and y'
const anyNumbers = 'the numbers of the values that are put need but differ'

/** Mutants that nothing finds, by how their names begin, and why: they are no mistakes. */
const reasons: Readonly<Record<string, string>> = {
  'partials.pow: doubled: the number at constant 3 of part 1 by operand 1': anyNumber,
  'partials.pow: negated: the number at constant 3 of part 1 by operand 1': anyNumber,
  'partials.pow: multiplied: the mask at select 1 of part 1 by operand 2': 'what it hides is a base of 0, which is finite',
  'nodes.scatterSet backward: moved: the number by one at constant 2 of part 2':
    'it is the number of no value, at a place that no id points to',
  'nodes.scatterSet backward: moved: the size by one at extent 2 of part 2': anyNumbers,
  'nodes.scatterSet backward: moved: the size by one at extent 3 of part 2': anyNumbers,
  'nodes.scatterSet backward: other: sub instead at add 1 of part 2': anyNumbers,
  'nodes.scatterSet backward: other: sub instead at add 2 of part 2': anyNumbers,
}

export const reasonFor = (text: string): string | undefined => Object.entries(reasons).find(([start]) => text.startsWith(start))?.[1]

/** The reasons that none of these mutants needs. */
export const reasonsBesides = (survivors: readonly string[]): readonly string[] =>
  Object.keys(reasons).filter((start) => !survivors.some((text) => text.startsWith(start)))
