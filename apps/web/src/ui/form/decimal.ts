/** A typed number; a comma is a decimal mark too. An empty field stays empty, and any other text gives NaN. */
export function decimalOf(typed: string): number | '' {
  return typed.trim() === '' ? '' : Number(typed.replace(',', '.'));
}
