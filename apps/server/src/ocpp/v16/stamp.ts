/** A message's timestamp as the device wrote it. Null when it wrote none: the time of receipt then stands in for it. */
export function stampIn(payload: unknown): string | null {
  const { timestamp } = payload as { timestamp?: unknown };
  if (typeof timestamp === 'number') return String(timestamp);
  if (typeof timestamp !== 'string') return null;
  // Whatever it is, it must be text that the database can keep.
  const text = timestamp.replaceAll('\0', '\uFFFD').trim().slice(0, 100).toWellFormed();
  return text === '' ? null : text;
}
