/**
 * The address inside the app that a scanned code stands for; null when it is none of ours. Codes carry our domain with
 * https or bare, whatever the case: a code in capitals is smaller and printed by many.
 */
export function addressIn(scanned: string, domain: string): string | null {
  const text = scanned.trim();
  const bare = text.replace(/^https:\/\//i, '');
  // The slash belongs to it: volta.example.evil.org is somebody else's.
  const ours = `${domain}/`;
  if (bare.slice(0, ours.length).toLowerCase() !== ours.toLowerCase()) return null;
  return /\/(?:station|qr)\/\S+/.exec(bare)?.[0] ?? null;
}

/** As typed by hand: the letter may be left out or small. Null: that is no station number. */
export function stationNumberIn(typed: string): string | null {
  // On a Ukrainian keyboard the nearest thing to F is Ф, and many type just that.
  const plain = typed.toUpperCase().replaceAll('Ф', 'F').replace(/[\s-]/g, '');
  const number = /^\d/.test(plain) ? `F${plain}` : plain;
  return /^[A-Z]\d{1,8}$/.test(number) ? number : null;
}
