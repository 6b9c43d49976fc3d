/** Errors of Node, of the operating system and of PostgreSQL have a short code; we compare the code, not the text. */
export function isCode(error: unknown, ...codes: string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(String(error.code));
}
