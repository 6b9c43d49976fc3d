/** A message's timestamp as the device wrote it. Null when it wrote none; the time of receipt is then used instead. */
export function stampIn(payload: unknown): string | null {
  const { timestamp } = payload as { timestamp?: unknown };
  if (typeof timestamp === 'number') return String(timestamp);
  if (typeof timestamp !== 'string') return null;
  // Makes it a text that the database can store.
  const text = timestamp.replaceAll('\0', '\uFFFD').trim().slice(0, 100).toWellFormed();
  return text === '' ? null : text;
}
