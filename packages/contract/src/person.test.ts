import { expect, test } from 'vitest';
import { NewCar } from './cars.ts';
import { PersonName, personTexts } from './person.ts';
import { editUser } from './profile.ts';

const invisible = {
  'zero-width spaces': '\u200b\u200b',
  'a zero-width joiner': '\u200d',
  'a byte order mark': '\ufeff',
  'no-break spaces': '\u00a0\u2007\u202f',
  'an ideographic space': '\u3000',
  'a soft hyphen': '\u00ad',
  'a word joiner between spaces': ' \u2060 ',
  'a Hangul filler': '\u3164',
  'a half-width Hangul filler': '\uffa0',
  'a blank Braille pattern': '\u2800',
  'a variation selector': '\ufe0f',
  'tag characters': '\u{e0061}\u{e0062}',
  'a combining grapheme joiner': '\u034f',
};

test.each(Object.entries(invisible))('a name that consists only of %s is refused', (_, name) => {
  const texts = (result: { error?: { issues: { message: string }[] } }) =>
    result.error?.issues.map(({ message }) => message);
  expect(texts(PersonName.safeParse(name))).toEqual([personTexts.nameRequired]);
  expect(texts(editUser.body.safeParse({ name }))).toEqual([personTexts.nameRequired]);
  expect(NewCar.safeParse({ name }).success).toBe(false);
});

test.each(['Олена Коваль', 'Łukasz', '👩‍🔧 Ада', 'نور', 'Zoë', 'é'])('%s is accepted as a name', (name) => {
  expect(PersonName.safeParse(name).success).toBe(true);
});
