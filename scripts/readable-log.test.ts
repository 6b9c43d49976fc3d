import { expect, it } from 'vitest';
import { isWarning, messageOf, readable } from './readable-log.ts';

const time = new Date(2026, 10, 15, 12, 3, 4).getTime();

it.each([
  ['says a normal line in its own words', { level: 30, msg: 'listening', port: 8080 }, '12:03:04 listening port=8080'],
  ['names what is not normal', { level: 40, msg: 'slow', what: 'a bank' }, '12:03:04 WARN slow what="a bank"'],
  ['leaves out where it came from', { level: 50, msg: 'no', pid: 7, hostname: 'vm' }, '12:03:04 ERROR no'],
  [
    'shows an error whole',
    { level: 60, msg: 'gone', err: { stack: 'Error: x\n  at y' } },
    '12:03:04 FATAL gone\nError: x\n  at y',
  ],
])('a log line of the server %s', (_, entry, text) => {
  expect(readable(JSON.stringify({ time, ...entry }))).toBe(text);
});

it.each(['plain words', '{ not json', '{"a":1}', '', '[1]'])(
  'a line that is no log line stays unchanged: %s',
  (line) => {
    expect(readable(line)).toBe(line);
  },
);

it.each([
  ['a normal line', { level: 30, msg: 'request' }, false, 'request'],
  ['a warning', { level: 40, msg: 'disk slow' }, true, 'disk slow'],
  ['an error without text', { level: 50 }, true, null],
])('%s is shown in the terminal only when it warns', (_, entry, warns, message) => {
  const line = JSON.stringify({ time, ...entry });
  expect([isWarning(line), messageOf(line)]).toEqual([warns, message]);
});

it('plain output of a program is never a warning', () => {
  expect([isWarning('Error: x'), messageOf('Error: x')]).toEqual([false, null]);
});
