/** A notification for pages: the type of what changed, and at most the few fields that identify it. */
export type GroupMessage = { type: string } & Record<string, unknown>;

const mostFields = 16;
const longestText = 256;
/** `reset_token`, `passwordHash`, `session` … but not `cardId` or `stationNumber`. */
const secretWord =
  /^(passwords?|secrets?|tokens?|otp|pin|hash|sessions?|signature|cookies?|credentials?|authorization)$/i;

/**
 * Null when the message may be sent, otherwise what is wrong with it.
 * Messages also travel through third parties (Azure, proxies) and to every page in the group, so they carry no data
 * worth reading. Only short, flat values are allowed: a whole row or object cannot leak by a careless spread.
 */
export function messageFaultOf(message: GroupMessage): string | null {
  if (typeof message.type !== 'string' || message.type === '') return 'it has no type';
  const fields = Object.entries(message);
  if (fields.length > mostFields) return `it has more than ${mostFields} fields`;
  for (const [name, value] of fields) {
    if (wordsOf(name).some((word) => secretWord.test(word))) return `${name} looks like a secret`;
    if (!isFlat(value)) return `${name} is not a short plain value`;
  }
  return null;
}

function isFlat(value: unknown): boolean {
  if (typeof value === 'string') return value.length <= longestText;
  return value === null || typeof value === 'boolean' || Number.isFinite(value);
}

/** Splits snake_case and camelCase, also with abbreviations (`OTPCode`). */
function wordsOf(name: string): string[] {
  return name.split(/[^\p{L}\p{N}]+|(?<=\p{Ll}|\p{N})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/u);
}
