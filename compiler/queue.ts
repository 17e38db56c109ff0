/** Gives what comes first by an order, whatever is added meanwhile: a binary heap. */
export interface Queue<T> {
  readonly add: (item: T) => void
  readonly take: () => T | undefined
}

export const createQueue = <T>(compare: (a: T, b: T) => number): Queue<T> => {
  const heap: T[] = []
  const isBefore = (i: number, j: number): boolean => i < heap.length && compare(heap[i]!, heap[j]!) < 0
  const swap = (i: number, j: number): void => {
    const item = heap[i]!
    heap[i] = heap[j]!
    heap[j] = item
  }
  const rise = (i: number): void => {
    const parent = (i - 1) >> 1
    if (i === 0 || !isBefore(i, parent)) return
    swap(i, parent)
    rise(parent)
  }
  const sink = (i: number): void => {
    const first = [2 * i + 1, 2 * i + 2].reduce((least, child) => (isBefore(child, least) ? child : least), i)
    if (first === i) return
    swap(i, first)
    sink(first)
  }
  return {
    add: (item) => {
      heap.push(item)
      rise(heap.length - 1)
    },
    take: () => {
      const [first] = heap
      const last = heap.pop()
      if (heap.length > 0 && last !== undefined) {
        heap[0] = last
        sink(0)
      }
      return first
    },
  }
}
