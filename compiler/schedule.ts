import { type Expr, partsOf, type Statement } from './loop-ir.js'

/** Where a value must be computed: the number of enclosing blocks that its operands need. */
type Depth = number

interface Block {
  /** Whether it is the body of an `if`: what it reads may lie out of bounds elsewhere. */
  readonly guarded: boolean
  readonly out: Statement[]
  readonly names: Map<Expr, Expr>
}

const isLeaf = (e: Expr): boolean => e.tag === 'literal' || e.tag === 'parameter' || e.tag === 'index' || e.tag === 'variable'

/** How often each expression of a statement list is used, shared ones counted once inside. */
const countUses = (statements: readonly Statement[], uses: Map<Expr, number>): void => {
  const visit = (e: Expr): void => {
    const before = uses.get(e) ?? 0
    uses.set(e, before + 1)
    if (before === 0) partsOf(e).forEach(visit)
  }
  for (const s of statements) {
    if (s.tag === 'store') [s.at, s.value].forEach(visit)
    else if (s.tag === 'for') countUses(s.body, uses)
    else if (s.tag === 'if') {
      visit(s.condition)
      countUses(s.body, uses)
    } else if (s.tag !== 'barrier' && s.tag !== 'join') visit(s.value)
  }
}

/** The variables that a statement gives a value. */
const assigned = (s: Statement): readonly string[] =>
  s.tag === 'for' || s.tag === 'if' ? s.body.flatMap(assigned) : s.tag === 'var' || s.tag === 'assign' || s.tag === 'join' ? [s.name] : []

/** For each statement of a list the variables that are declared there and have their last value after it. */
const settledBy = (statements: readonly Statement[]): readonly (readonly string[])[] => {
  const last = new Map<string, number>()
  statements.forEach((s, i) => {
    for (const name of assigned(s)) last.set(name, i)
  })
  const settled = statements.map((): string[] => [])
  for (const s of statements) if (s.tag === 'var') settled[last.get(s.name) ?? 0]?.push(s.name)
  return settled
}

/**
 * Give every expression that is used more than once, or that a loop would compute again at each turn, a name where it is first
 * known. What reads a buffer that the kernel writes, or a variable that may still change, is computed anew in each statement. No read leaves
 * the `if` that it stands in.
 */
export const schedule = (body: readonly Statement[], written: ReadonlySet<number>): readonly Statement[] => {
  const uses = new Map<Expr, number>()
  countUses(body, uses)
  let count = 0
  const depths = new Map<Expr, Depth>()
  const loopDepth = new Map<string, Depth>()

  const settled = new Map<string, Depth>()

  const changing = Number.POSITIVE_INFINITY
  const ownDepth = (e: Expr): Depth => {
    if (e.tag === 'index') return loopDepth.get(e.name) ?? 0
    if (e.tag === 'variable') return settled.get(e.name) ?? changing
    return e.tag === 'read' && written.has(e.buffer) ? changing : 0
  }
  const depthOf = (e: Expr): Depth => {
    const known = depths.get(e)
    if (known !== undefined) return known
    const depth = Math.max(ownDepth(e), ...partsOf(e).map(depthOf))
    depths.set(e, depth)
    return depth
  }

  const reading = new Map<Expr, boolean>()
  const reads = (e: Expr): boolean => {
    const known = reading.get(e) ?? (e.tag === 'read' || partsOf(e).some(reads))
    reading.set(e, known)
    return known
  }

  const bound = (e: Expr, blocks: readonly Block[]): Expr => {
    if (isLeaf(e)) return e
    const here = blocks.length - 1
    const known = Math.min(depthOf(e), here)
    const guard = blocks.findLastIndex(({ guarded }) => guarded)
    const depth = reads(e) ? Math.max(known, guard) : known
    const block = blocks[depth]
    if (block === undefined) return e
    for (let at = known; at <= here; at++) {
      const name = blocks[at]?.names.get(e)
      if (name !== undefined) return name
    }
    const rebuilt: Expr =
      e.tag === 'op'
        ? { ...e, operands: e.operands.map((x) => bound(x, blocks)) }
        : e.tag === 'read'
          ? { ...e, at: bound(e.at, blocks) }
          : e
    if ((uses.get(e) ?? 0) < 2 && depth === here) return rebuilt
    const variable: Expr = { tag: 'variable', dtype: e.dtype, name: `t${String(count++)}` }
    block.out.push({ tag: 'let', name: variable.name, value: rebuilt })
    block.names.set(e, variable)
    return variable
  }

  const forgetChanging = (block: Block): void => {
    for (const e of block.names.keys()) if (depthOf(e) === changing) block.names.delete(e)
  }

  const place = (statements: readonly Statement[], outer: readonly Block[], guarded = false): readonly Statement[] => {
    const block: Block = { guarded, out: [], names: new Map() }
    const blocks = [...outer, block]
    const settling = settledBy(statements)
    for (const [i, s] of statements.entries()) {
      block.out.push(placed(s, blocks))
      forgetChanging(block)
      for (const name of settling[i] ?? []) settled.set(name, outer.length)
      if (settling[i]?.length) depths.clear()
    }
    return block.out
  }

  const placed = (s: Statement, blocks: readonly Block[]): Statement => {
    switch (s.tag) {
      case 'for': {
        loopDepth.set(s.loop.index, blocks.length)
        return { ...s, body: place(s.body, blocks) }
      }
      case 'if':
        return { ...s, condition: bound(s.condition, blocks), body: place(s.body, blocks, true) }
      case 'store':
        return { ...s, at: bound(s.at, blocks), value: bound(s.value, blocks) }
      case 'barrier':
      case 'join':
        return s
      case 'let':
      case 'var':
      case 'assign':
        return { ...s, value: bound(s.value, blocks) }
    }
  }

  return place(body, [])
}
