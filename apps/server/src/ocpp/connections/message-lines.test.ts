import { expect, test } from 'vitest';
import { frameHead, lineOf, readLine, type WireExchange } from './message-lines.ts';

test.each([
  ['[2,"7f","MeterValues",{"connectorId":1}]', { kind: 'call', id: '7f', action: 'MeterValues' }],
  ['[3,"7f",{}]', { kind: 'answer', id: '7f' }],
  ['[4,"7f","InternalError","",{}]', { kind: 'answer', id: '7f' }],
  ['\n[ 2 , "a b" , "Heartbeat" , { } ]', { kind: 'call', id: 'a b', action: 'Heartbeat' }],
  ['[2,"7f",12,{}]', { kind: 'unreadable' }],
  ['hello', { kind: 'unreadable' }],
])('the beginning of %s is read', (text, frame) => expect(frameHead(text)).toEqual(frame));

const exchange: WireExchange = {
  at: 1_800_000_000_000,
  from: 'device',
  action: 'Heartbeat',
  call: '[2,"1","Heartbeat",{}]',
  answer: '[3,"1",{}]',
  answerMs: 4,
};

test.each<[string, Partial<WireExchange>]>([
  ['a call with its answer', {}],
  ['a call of ours without an answer', { from: 'server', answer: null, answerMs: null }],
])('%s is the same after it was stored', (_name, more) => {
  expect(readLine(lineOf({ ...exchange, ...more }))).toEqual({ ...exchange, ...more });
});

test('breaks inside a message do not end its line, and a long message is cut', () => {
  const line = lineOf({ ...exchange, call: '[2,"1",\n\t"Heartbeat",\u0000{}]', answer: 'x'.repeat(30_000) });
  expect(line).not.toContain('\n');
  expect(readLine(line)).toMatchObject({ call: '[2,"1",  "Heartbeat", {}]', answer: `${'x'.repeat(20_000)}…` });
});

test('the password of a device is not stored, in the call that sets it and in an answer that lists it', () => {
  const set = '[2,"1","ChangeConfiguration",{"key":"AuthorizationKey","value":"00\\"ff"}]';
  const listed = '[3,"1",{"configurationKey":[{"key":"A","value":"1"},{"value":"ff","key":"authorizationkey"}]}]';
  expect(readLine(lineOf({ ...exchange, action: 'ChangeConfiguration', call: set })).call).toBe(
    '[2,"1","ChangeConfiguration",{"key":"AuthorizationKey","value":"***"}]',
  );
  expect(readLine(lineOf({ ...exchange, action: 'GetConfiguration', answer: listed })).answer).toBe(
    '[3,"1",{"configurationKey":[{"key":"A","value":"1"},{"value":"***","key":"authorizationkey"}]}]',
  );
});
