import { describe, expect, it } from 'vitest';
import { internationalPhone } from './typed-phone.ts';

const ukrainian = '+380501234567';
const polish = '+48501234567';

describe('a typed phone number', () => {
  it.each([
    // National forms
    ['0501234567', ukrainian],
    ['050 123 45 67', ukrainian],
    ['(050) 123-45-67', ukrainian],
    ['050.123.45.67', ukrainian],
    ['501234567', ukrainian],
    ['80501234567', ukrainian],
    ['8 (050) 123 45 67', ukrainian],
    // International forms
    ['+380501234567', ukrainian],
    ['+380 50 123 45 67', ukrainian],
    ['+38 (050) 123-45-67', ukrainian],
    ['+38 050 123 45 67', ukrainian],
    ['38 050 123 45 67', ukrainian],
    ['380501234567', ukrainian],
    ['380 (50) 123-45-67', ukrainian],
    ['00380501234567', ukrainian],
    ['tel:+380-50-123-45-67', ukrainian],
    ['  +380501234567\n', ukrainian],
    ['\u202a+380 50 123 45 67\u202c', ukrainian],
    ['+380\u00a050\u2011123\u201145\u201167', ukrainian],
    ['＋３８０５０１２３４５６７', ukrainian],
    // After the prefix that the field already has
    ['+380 0501234567', ukrainian],
    ['+380 380501234567', ukrainian],
    ['+380+380501234567', ukrainian],
    ['+380 00380501234567', ukrainian],
    ['+380 48501234567', polish],
    ['+380+48 501 234 567', polish],
    // Numbers of other countries stay as they are
    ['+48501234567', polish],
    ['0048501234567', polish],
    ['48501234567', polish],
    ['+49 151 12345678', '+4915112345678'],
    ['004915112345678', '+4915112345678'],
    ['+1 (202) 555-0123', '+12025550123'],
  ])('%j in the Ukrainian field is %s', (typed, meant) => {
    expect(internationalPhone(typed, '+380')).toBe(meant);
  });

  it.each([
    ['501234567', polish],
    ['501 234 567', polish],
    ['501-234-567', polish],
    ['0501234567', polish],
    ['(0) 501 234 567', polish],
    ['48501234567', polish],
    ['+48 501 234 567', polish],
    ['+48 (501) 234-567', polish],
    ['0048 501 234 567', polish],
    ['+48 48501234567', polish],
    ['+48+48501234567', polish],
    ['+48 0501234567', polish],
    ['+48 380501234567', ukrainian],
    ['+48+380501234567', ukrainian],
    ['380501234567', ukrainian],
    ['+380501234567', ukrainian],
  ])('%j in the Polish field is %s', (typed, meant) => {
    expect(internationalPhone(typed, '+48')).toBe(meant);
  });

  it.each([
    ['', '+380', ''],
    ['+', '+380', '+'],
    ['+3', '+380', '+3'],
    ['+38', '+380', '+38'],
    ['+380', '+380', '+380'],
    ['+3805', '+380', '+3805'],
    ['0', '+380', '0'],
    ['050', '+380', '050'],
    ['00', '+380', '00'],
    ['380', '+380', '380'],
    ['+4850', '+48', '+4850'],
    ['+38050123456789', '+380', '+38050123456789'],
  ])('%j is not complete, so the field with %s keeps %j', (typed, prefix, kept) => {
    expect(internationalPhone(typed, prefix)).toBe(kept);
  });
});
