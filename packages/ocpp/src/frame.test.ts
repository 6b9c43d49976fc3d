import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { callText, ocppErrorText, parseFrame, resultText, shortFrame, unparsedFrame } from './frame.ts';

describe('a frame', () => {
  const long = 'x'.repeat(37);
  const endless = 'x'.repeat(256);
  const cases: [what: string, text: string, frame: object][] = [
    ['a call', '[2,"7","Heartbeat",{}]', { type: 2, id: '7', action: 'Heartbeat', payload: {}, isRepaired: false }],
    [
      'a call without a payload',
      '[2,"7","Heartbeat"]',
      { type: 2, id: '7', action: 'Heartbeat', payload: {}, isRepaired: false },
    ],
    [
      'a null payload',
      '[2,"7","Heartbeat",null]',
      { type: 2, id: '7', action: 'Heartbeat', payload: {}, isRepaired: false },
    ],
    [
      'a numbered call',
      '[2,7,"Heartbeat",{}]',
      { type: 2, id: 7, action: 'Heartbeat', payload: {}, isRepaired: false },
    ],
    [
      'an id somewhat too long',
      `[2,"${long}","X",{}]`,
      { type: 2, id: long, action: 'X', payload: {}, isRepaired: false },
    ],
    [
      'an id far too long',
      `[2,"${endless}","X",{}]`,
      { type: 'bad', id: 'x'.repeat(36), reason: 'message id too long' },
    ],
    ['a result', '[3,"7",{"a":1}]', { type: 3, id: '7', payload: { a: 1 } }],
    ['a result without a payload', '[3,"7"]', { type: 3, id: '7', payload: {} }],
    [
      'an error',
      '[4,"7","NotSupported","no",{}]',
      { type: 4, id: '7', code: 'NotSupported', description: 'no', details: {} },
    ],
    ['a bare error', '[4,"7"]', { type: 4, id: '7', code: 'GenericError', description: '', details: undefined }],
    ['a call without an id', '[2]', { type: 'noise', reason: 'a call without an id' }],
    ['an empty id', '[2,"","Heartbeat",{}]', { type: 'noise', reason: 'a call without an id' }],
    ['a call without an action', '[2,"7"]', { type: 'bad', id: '7', reason: 'a call without an action' }],
    ['an action that is no text', '[2,"7",{},{}]', { type: 'bad', id: '7', reason: 'a call without an action' }],
    ['an answer without an id', '[3,null,{}]', { type: 'noise', reason: 'an answer without an id' }],
    ['an unknown type', '[9,"7",{}]', { type: 'noise', reason: 'unknown message type' }],
    ['a type in quotes', '["2","7","Heartbeat",{}]', { type: 'noise', reason: 'unknown message type' }],
    ['an object', '{}', { type: 'noise', reason: 'not an array' }],
    ['nothing', '', { type: 'noise', reason: 'not JSON' }],
    ['text', 'hello', { type: 'noise', reason: 'not JSON' }],
    ['a broken call with a readable id', '[2,"7","Boot', { type: 'bad', id: '7', reason: 'not JSON' }],
    [
      'a value that is missing after its colon',
      '[2,"7","MeterValues",{"connectorId":1,"transactionId":,"meterValue":[]}]',
      {
        type: 2,
        id: '7',
        action: 'MeterValues',
        payload: { connectorId: 1, transactionId: null, meterValue: [] },
        isRepaired: true,
      },
    ],
  ];
  it.each(cases)('%s is recognised', (_, text, frame) => {
    expect(parseFrame(text)).toEqual(frame);
  });

  it('that is too large to parse still yields the id of its call', () => {
    expect(unparsedFrame(' [ 2 , "7" , "StopTransaction", {"transac', 'frame too large')).toEqual({
      type: 'bad',
      id: '7',
      reason: 'frame too large',
    });
  });

  it('is written as in the standard, with the description cut to 255', () => {
    expect(callText('a"b', 'Reset', { type: 'Soft' })).toBe('[2,"a\\"b","Reset",{"type":"Soft"}]');
    expect(resultText(7, {})).toBe('[3,7,{}]');
    expect(JSON.parse(ocppErrorText('7', 'GenericError', 'x'.repeat(300)))).toEqual([
      4,
      '7',
      'GenericError',
      'x'.repeat(255),
      {},
    ]);
  });

  it('with any text and any JSON is read without throwing', () => {
    const anything = fc.oneof(
      fc.string(),
      fc.json(),
      fc
        .tuple(fc.constantFrom(2, 3, 4, 5, '2'), fc.jsonValue(), fc.jsonValue(), fc.jsonValue())
        .map((f) => JSON.stringify(f)),
    );
    fc.assert(
      fc.property(anything, (text) => {
        expect(parseFrame(text)).toHaveProperty('type');
      }),
      { numRuns: 2000 },
    );
  });
});

describe('a short frame', () => {
  it('has up to 125 bytes of payload after a header of two bytes', () => {
    const text = 'x'.repeat(125);
    expect(Buffer.from(shortFrame(text) ?? '', 'latin1')).toEqual(Buffer.from([0x81, 125, ...Buffer.from(text)]));
  });

  it.each(['x'.repeat(126), 'ї', 'é'])('is not built for longer texts, nor for characters outside ASCII', (text) => {
    expect(shortFrame(text)).toBeNull();
  });
});
