/** The payload of a call in one line, as far as it fits: `connectorId 1 · status Charging`. */
export function summaryOf(call: string): string {
  const payload = payloadOf(call);
  if (payload === null) return call;
  return Object.entries(payload)
    .map(([name, value]) => `${name} ${typeof value === 'object' ? JSON.stringify(value) : String(value)}`)
    .join(' · ');
}

/** A frame as it is read best. One that is no JSON stays as it came. */
export function indented(frame: string): string {
  try {
    return JSON.stringify(JSON.parse(frame), null, 2);
  } catch {
    return frame;
  }
}

function payloadOf(call: string): Record<string, unknown> | null {
  try {
    const [, , , payload] = JSON.parse(call) as unknown[];
    return typeof payload === 'object' ? (payload as Record<string, unknown> | null) : null;
  } catch {
    return null;
  }
}
