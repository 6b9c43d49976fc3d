import { expect, it } from 'vitest';
import { normaliseIdTag } from './id-tag.ts';
import { read } from './message.ts';
import { Authorize } from './v16/authorize.ts';

it.each([
  ['2069c021', '2069C021'],
  ['20:69:C0:21', '2069C021'],
  ['20-69-c0-21', '2069C021'],
  [' 20 69 C0 21 ', '2069C021'],
  ['04A2B3C4D5E680', '04A2B3C4D5E680'],
  ['OP-7', 'OP-7'],
  ['ab-cd-eg', 'AB-CD-EG'],
  ['', ''],
])('the card %j is stored as %j in every notation of a reader', (raw, tag) => {
  expect(normaliseIdTag(raw)).toBe(tag);
});

it('a card of ten bytes loses its colons before any byte', () => {
  const { value } = read(Authorize.request, { idTag: '04:a2:b3:c4:d5:e6:80:11:22:33' });
  expect(value).toEqual({ idTag: '04A2B3C4D5E680112233' });
});
