/** Errors of Node, of the operating system and of PostgreSQL alike carry a short code; we decide by it, not by the text. */
export function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
