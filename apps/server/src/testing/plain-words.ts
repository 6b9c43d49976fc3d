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

/** A listed word directly after a quotation mark is allowed, because it is the name of something, like an account. */
export const refusedWord = new RegExp(`(?<!["'\`])\\b(?:${words.join('|')})\\b`, 'gi');
