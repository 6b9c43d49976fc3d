const storageKey = 'ref_id';
const longest = 64;

/** Who brought the driver here: told by the address, remembered for the payment, which may be days later. */
export function refIdOf(search: URLSearchParams): string | null {
  const told = search.get('ref_id');
  if (!told || told.length > longest) return localStorage.getItem(storageKey);
  localStorage.setItem(storageKey, told);
  return told;
}
