/** Words for which the field has a better one, see the table in docs/voice.md. None has an honest use in this product. */
const words = [
  'whoever',
  'whomever',
  'nobody',
  'anew',
  'told',
  'untold',
  'news',
  'mends?',
  'mended',
  'mending',
  'bite',
  'desk',
  'journey',
  'patience',
];

/** Whether a part of a name, like `Hand` of `inHand`, is one of these words. */
const refusedPart = new RegExp(`^(?:${words.join('|')}|gather(?:ed|s)?)$`, 'i');

/** The names in a piece of code that have such a part. */
export function refusedNames(code: string): string[] {
  const names = new Set(Array.from(code.matchAll(/[A-Za-z_$][\w$]*/g), ([name]) => name));
  return [...names].filter(
    (name) => name === 'inHand' || name.split(/_|(?<=[a-z0-9])(?=[A-Z])/).some((part) => refusedPart.test(part)),
  );
}

/** A listed word directly after a quotation mark is allowed, because it is the name of something, like an account. */
export const refusedWord = new RegExp(`(?<!["'\`])\\b(?:${words.join('|')})\\b`, 'gi');
