/** The rows of a list that is loaded in pages: `select` of an infinite query. */
export function allRows<ListedRow>({ pages }: { pages: readonly (readonly ListedRow[])[] }): ListedRow[] {
  return pages.flat();
}
