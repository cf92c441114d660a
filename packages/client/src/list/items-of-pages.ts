/**
 * The items of pages, one by one. A fiber runs once per page and not once per item, which is what makes
 * long lists cheap. `check` is called before each item and may throw. Returning early reaches the page
 * under way at once, also while its items are being waited for.
 */
export const itemsOfPages = <Item>(
  pages: AsyncIterable<{ readonly items: ReadonlyArray<Item> }>,
  check: () => void,
): AsyncIterable<Item> => ({
  [Symbol.asyncIterator]: () => {
    const source = pages[Symbol.asyncIterator]()
    const items = flatten({ [Symbol.asyncIterator]: () => source }, check)
    return {
      next: () => items.next(),
      return: async () => {
        await source.return?.()
        return items.return(undefined)
      },
    }
  },
})

async function* flatten<Item>(
  pages: AsyncIterable<{ readonly items: ReadonlyArray<Item> }>,
  check: () => void,
): AsyncGenerator<Item, undefined> {
  for await (const { items } of pages) {
    for (const item of items) {
      check()
      yield item
    }
  }
  return undefined
}
