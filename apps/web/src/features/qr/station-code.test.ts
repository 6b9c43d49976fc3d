import { describe, expect, it } from 'vitest';
import { addressIn, stationNumberIn } from './station-code.ts';

const read = (text: string) => addressIn(text, 'volta.example');

describe('a scanned code', () => {
  it.each([
    ['https://volta.example/station/F1400', '/station/F1400'],
    ['volta.example/station/F1400', '/station/F1400'],
    ['HTTPS://VOLTA.EXAMPLE/station/F1400', '/station/F1400'],
    ['https://volta.example/station/v/F1500', '/station/v/F1500'],
    ['https://volta.example/station/F1400?ref_id=bus', '/station/F1400?ref_id=bus'],
    ['https://volta.example/en/station/F1400', '/station/F1400'],
    [' volta.example/station/F1400\n', '/station/F1400'],
  ])('%s is a station of ours [QR-03]', (text, address) => {
    expect(read(text)).toBe(address);
  });

  it.each([
    ['https://volta.example/qr/mall15', '/qr/mall15'],
    ['volta.example/qr/mall15', '/qr/mall15'],
  ])('%s is a link of ours [QR-04]', (text, address) => {
    expect(read(text)).toBe(address);
  });

  it.each([
    'https://other.example/station/F1400',
    'https://volta.example.evil.org/station/F1400',
    'https://evil.org/?u=volta.example/station/F1400',
    'http://volta.example/station/F1400',
    'https://volta.example/map',
    'https://volta.example/station/',
    'F1400',
    'WIFI:S:Volta;;',
    '',
  ])('%s is a foreign code [QR-05]', (text) => {
    expect(read(text)).toBeNull();
  });

  it('has the port when the domain has one', () => {
    expect(addressIn('https://localhost:8080/qr/x1', 'localhost:8080')).toBe('/qr/x1');
    expect(addressIn('https://localhost:8081/qr/x1', 'localhost:8080')).toBeNull();
  });
});

describe('a typed station number', () => {
  it.each([
    ['F1400', 'F1400'],
    ['f1400', 'F1400'],
    ['1400', 'F1400'],
    [' F 1400 ', 'F1400'],
    ['ф1400', 'F1400'],
    ['F', null],
    ['', null],
    ['F14000000000', null],
    ['F14/../admin', null],
  ])('%s becomes %s', (typed, number) => {
    expect(stationNumberIn(typed)).toBe(number);
  });
});
