import { expect, test } from 'vitest';
import { maskedName } from './masked-name.ts';

test.each([
  ['Олена Коваль', 'Ол… К.'],
  ['  Олена   Марія Коваль ', 'Ол… К.'],
  ['Олена', 'Ол…'],
  ['Ян', 'Я…'],
  ['Я', 'Я…'],
  ['𝕱𝖕𝖆𝖞 👩 Z', '𝕱𝖕… Z.'],
])('the name %j is shown to others as %j', (name, shown) => {
  expect(maskedName(name)).toBe(shown);
});
