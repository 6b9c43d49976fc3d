/**
 * Removes what a report must not keep: query strings, which may carry tokens; long runs of digits, which may be phones
 * or cards; addresses of e-mail; and long tokens without spaces. Names of functions and files stay.
 */
export function withoutSecrets(text: string): string {
  return text
    .replaceAll(/[?#][^\s:)"']*/g, '')
    .replaceAll(/[\w.+-]+@[\w-]+\.[\w.]+/g, '…')
    .replaceAll(/\+?\d(?:[ ()-]?\d){6,}/g, '…')
    .replaceAll(/(?<![\w./-])(?=[\w-]*\d)[\w-]{24,}/g, '…');
}
