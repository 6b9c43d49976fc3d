// @vitest-environment node
import { globSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import type { Language } from '@fpay/contract/person';
import type { Translated } from '@fpay/contract/translated';
import { describe, expect, it } from 'vitest';

/** Texts that drivers misunderstood or that no native speaker would use. They must not come back. */
const corrected: Translated<readonly (string | RegExp)[]> = {
  uk: [
    'Швидкість — недоступно',
    'Або зменште суму чи сплатіть карткою',
    /"failed": "не вдалося"/,
    /"Де я"/,
    'подаровано на',
    'У розвитку',
    'Ми в мережі',
    /Конектор/,
    '(Час київський)',
    'Авто вже не бере енергії',
    'відхилено або він застарів',
    /[Пп]ідключіть кабель/,
    'Відновимо самі',
    'Як гість можна зарядитися на станції',
    'Холди до кінця',
    'Я зберіг(-ла)',
    /"Записав"/,
    /\}\} станцій · /,
    /[Кк]арт(а|і) (мережі|проблем)/,
  ],
  en: [
    /"free": "Free",\s+"ready"/,
    /: "Buy"/,
    /: "Share( money)?"/,
    'Return for charging',
    'Forgot the password?',
    'What is not used comes back at once',
    'Or lower the amount, or pay by card',
    'Change the way to pay',
    'Please look in a little later',
    'Up to 10 stations that work now are shown',
    'For good, with no way back',
    /"Where I am"/,
    /"To payment"/,
    'The RFID card is bound',
    /We have been \w+ about it/,
    'Up to 15 characters!',
    'The terms must be accepted!',
    'At most 10 cars!',
    'No bank, one tap.',
    'This charge is free',
    'connectors are free',
    'By the reading',
  ],
  pl: [
    'Jako gość naładujesz przy stacji',
    'zapiszemy na niego',
    'lub naładuj teraz',
    'nie można się tu naładować',
    /[Pp]okwitowanie/,
    /[Rr]achunek/,
    'Zadzwoń po pomoc',
    'Skontaktuj się z pomocą',
    'Uznanie od',
    'Obciążenie od',
    /[ "](ciebie|twój|twoja|twoje|twoim)\b/,
    /samoch[oó]d/i,
    'Otwarte zgłoszenia',
    'Kabel nie wychodzi?',
    'zostanie u Ciebie',
    /"Do mapy"/,
    'W rozwoju',
    'świątecznych stacji',
    'najbliższe środka mapy',
    'Sprawdź internet',
  ],
};

/** Those of drivers, on pages, in receipts, messages and the bot. */
const forStaff = /\/(admin|network)\w*\.json$/;
const root = resolve(import.meta.dirname, '../../../..');

function driverTextsIn(language: Language): string {
  const pages = globSync(`apps/web/src/i18n/texts/${language}/*.json`, { cwd: root }).filter(
    (file) => !forStaff.test(file),
  );
  return pages.map((file) => readFileSync(resolve(root, file), 'utf8')).join('\n');
}

describe.each(Object.entries(corrected) as [Language, readonly (string | RegExp)[]][])('in %s', (language, old) => {
  it.each(old.map((wording) => [String(wording), wording] as const))('drivers do not read %s', (_, wording) => {
    const read = driverTextsIn(language);
    expect(typeof wording === 'string' ? read.includes(wording) : wording.test(read)).toBe(false);
  });
});

it('receipts, messages and the bot have the corrected words too', () => {
  const files = globSync('apps/server/src/{receipts,messages,messages/telegram}/*texts.ts', { cwd: root });
  expect(files.length).toBeGreaterThanOrEqual(4);
  // All languages are in one file, so only wordings that exist in one of them are looked for.
  const old =
    /[Кк]онектор|Час київський\)|'RRN'|не бере енергії|[Pp]okwitowani|[Rr]achun|[Ss]amoch[oó]d|Zadzwoń po pomoc|We have been \w+ about it/;
  for (const file of files) expect(old.exec(readFileSync(resolve(root, file), 'utf8'))?.[0], file).toBeUndefined();
});
