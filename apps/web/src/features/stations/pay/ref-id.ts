const storageKey = 'ref_id';
const longest = 64;

/** The referral: read from the address and stored for the payment, which may be days later. */
export function refIdOf(search: URLSearchParams): string | null {
  const given = search.get('ref_id');
  if (!given || given.length > longest) return localStorage.getItem(storageKey);
  localStorage.setItem(storageKey, given);
  return given;
}
