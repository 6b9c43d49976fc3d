/**
 * The address in the app for a scanned code; null for a foreign code. Codes have our domain with or without https in
 * any case, because codes in capitals are smaller and often printed.
 */
export function addressIn(scanned: string, domain: string): string | null {
  const text = scanned.trim();
  const bare = text.replace(/^https:\/\//i, '');
  // The slash is part of it, because volta.example.evil.org is a foreign domain.
  const ours = `${domain}/`;
  if (bare.slice(0, ours.length).toLowerCase() !== ours.toLowerCase()) return null;
  return /\/(?:station|qr)\/\S+/.exec(bare)?.[0] ?? null;
}

/** A typed number: the letter may be missing or in lower case. Null when it is no station number. */
export function stationNumberIn(typed: string): string | null {
  // On a Ukrainian keyboard many type Ф instead of F.
  const plain = typed.toUpperCase().replaceAll('Ф', 'F').replace(/[\s-]/g, '');
  const number = /^\d/.test(plain) ? `F${plain}` : plain;
  return /^[A-Z]\d{1,8}$/.test(number) ? number : null;
}
