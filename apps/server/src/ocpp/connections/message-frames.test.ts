import { describe, expect, test } from 'vitest';
import { createFrameBuffer, pageBytes } from './frame-buffer.ts';
import { createExchangeReader, wireTextsOf } from './message-exchanges.ts';
import { frameHead, framesOf } from './message-frames.ts';

test.each([
  ['[2,"7f","MeterValues",{"connectorId":1}]', { kind: 'call', id: '7f', action: 'MeterValues' }],
  ['[3,"7f",{}]', { kind: 'answer', id: '7f' }],
  ['[4,"7f","InternalError","",{}]', { kind: 'answer', id: '7f' }],
  ['\n[ 2 , "a b" , "Heartbeat" , { } ]', { kind: 'call', id: 'a b', action: 'Heartbeat' }],
  ['[2,"7f",12,{}]', { kind: 'unreadable' }],
  ['hello', { kind: 'unreadable' }],
])('the beginning of %s is read', (text, frame) => expect(frameHead(text)).toEqual(frame));

function add(
  buffer: ReturnType<typeof createFrameBuffer>,
  chargePointId: number,
  direction: 'in' | 'out',
  at: number,
  text: string,
): void {
  if (direction === 'in') buffer.addBytes(chargePointId, at, Buffer.from(text));
  else buffer.addText(chargePointId, at, text);
}

const noon = 1_800_000_000_000;

describe('the buffer of frames', () => {
  test('sorts the frames of many devices to pages of one device each, in the order of time', () => {
    const buffer = createFrameBuffer();
    for (let n = 0; n < 30; n += 1) add(buffer, n % 3, n % 2 === 0 ? 'in' : 'out', noon + n, `frame ${n}`);
    const pages = buffer.take();
    expect(pages.map(({ chargePointId }) => chargePointId)).toEqual([0, 1, 2]);
    for (const { chargePointId, began, ended, frames } of pages) {
      expect([began, ended]).toEqual([noon + chargePointId, noon + 27 + chargePointId]);
      expect(framesOf(frames)).toEqual(
        Array.from({ length: 10 }, (_, index) => {
          const n = 3 * index + chargePointId;
          return { at: noon + n, direction: n % 2 === 0 ? 'in' : 'out', text: `frame ${n}` };
        }),
      );
    }
    expect(buffer.length).toBe(0);
    expect(buffer.take()).toEqual([]);
  });

  test('begins another page when one is full, and grows for a rush', () => {
    const buffer = createFrameBuffer();
    const text = 'x'.repeat(1_000);
    for (let n = 0; n < 7_000; n += 1) buffer.addBytes(7, noon + n, Buffer.from(text));
    const pages = buffer.take();
    expect(Math.max(...pages.map(({ frames }) => frames.length))).toBeLessThanOrEqual(pageBytes);
    const frames = pages.flatMap((page) => framesOf(page.frames));
    expect(frames.map(({ at }) => at - noon)).toEqual(Array.from({ length: 7_000 }, (_, n) => n));
    expect(frames.every((frame) => frame.text === text)).toBe(true);
  });

  test.each([
    ['a frame of ours', 'ї'.repeat(15_000), `${'ї'.repeat(10_000)}…`],
    ['bytes of a device', Buffer.from(`x${'ї'.repeat(15_000)}`), `x${'ї'.repeat(9_999)}…`],
    ['a frame that just fits', 'x'.repeat(20_000), 'x'.repeat(20_000)],
    ['bytes that just fit', Buffer.from('x'.repeat(20_000)), 'x'.repeat(20_000)],
    ['an empty frame', '', ''],
    ['bytes that are no UTF-8, a NUL and a line break', Buffer.from([0x5b, 0xff, 0, 0x0a, 0x5d]), '[\ufffd\0\n]'],
    ['letters outside of ASCII', '[3,"1",{"data":"Під’їзд 😀"}]', '[3,"1",{"data":"Під’їзд 😀"}]'],
  ])('%s: what does not fit is cut between two characters', (_name, frame, stored) => {
    const buffer = createFrameBuffer();
    if (typeof frame === 'string') buffer.addText(1, noon, frame);
    else buffer.addBytes(1, noon, frame);
    buffer.addText(1, noon + 1, 'next');
    expect(buffer.take().flatMap(({ frames }) => framesOf(frames))).toEqual([
      { at: noon, direction: typeof frame === 'string' ? 'out' : 'in', text: stored },
      { at: noon + 1, direction: 'out', text: 'next' },
    ]);
  });
});

describe('calls and answers', () => {
  const page = (...frames: readonly [at: number, direction: 'in' | 'out', text: string][]) => {
    const buffer = createFrameBuffer();
    for (const [at, direction, text] of frames) add(buffer, 1, direction, noon + at, text);
    return { lines: null, frames: buffer.take()[0]?.frames ?? null };
  };
  const heartbeat = (id: string) => `[2,"${id}","Heartbeat",{}]`;
  const read = (...pages: ReturnType<typeof page>[]) => {
    const reader = createExchangeReader();
    const found = pages.toReversed().flatMap((one) => reader.read(one));
    return [...found, ...reader.strayAfter(0)].map(({ at, from, action, answer, answerMs }) => [
      at - noon,
      from,
      action,
      answer,
      answerMs,
    ]);
  };

  test('are joined in both directions, also when calls overtake each other or the answer is in a later page', () => {
    expect(
      read(
        page(
          [0, 'in', heartbeat('a')],
          [1, 'out', '[2,"a","Reset",{}]'],
          [2, 'in', heartbeat('b')],
          [4, 'out', '[3,"a",{}]'],
        ),
        page([9, 'in', '[4,"a","NotSupported","",{}]'], [10, 'out', '[3,"b",{"n":1}]']),
      ),
    ).toEqual([
      [2, 'device', 'Heartbeat', '[3,"b",{"n":1}]', 8],
      [1, 'server', 'Reset', '[4,"a","NotSupported","",{}]', 8],
      [0, 'device', 'Heartbeat', '[3,"a",{}]', 4],
    ]);
  });

  test('an id that a device uses again belongs to the nearest call before the answer', () => {
    expect(
      read(
        page([0, 'in', heartbeat('1')], [1, 'out', '[3,"1",{}]'], [2, 'in', heartbeat('1')]),
        page([3, 'in', heartbeat('1')], [5, 'out', '[3,"1",{}]']),
      ),
    ).toEqual([
      [3, 'device', 'Heartbeat', '[3,"1",{}]', 2],
      [2, 'device', 'Heartbeat', null, null],
      [0, 'device', 'Heartbeat', '[3,"1",{}]', 1],
    ]);
  });

  test('a frame that is no call, a second answer and an answer without its call are shown as they are', () => {
    expect(
      read(
        page(
          [0, 'in', 'hello'],
          [1, 'in', heartbeat('1')],
          [2, 'out', '[3,"1",{}]'],
          [3, 'out', '[3,"1",{}]'],
          [4, 'in', '[3,"9",{}]'],
        ),
      ),
    ).toEqual([
      [3, 'server', '?', null, null],
      [1, 'device', 'Heartbeat', '[3,"1",{}]', 1],
      [0, 'device', '?', null, null],
      [4, 'device', '?', null, null],
    ]);
  });

  test('a page of lines, as older versions wrote it, is read as before', () => {
    const lines = `${noon}\td\t4\tHeartbeat\t${heartbeat('1')}\t[3,"1",{}]\n${noon + 9}\ts\t\tReset\t[2,"2","Reset",{}]\t`;
    const old = { lines, frames: null };
    expect(read(old as never)).toEqual([
      [9, 'server', 'Reset', null, null],
      [0, 'device', 'Heartbeat', '[3,"1",{}]', 4],
    ]);
    expect(wireTextsOf(old).map(({ at, direction, text }) => [at - noon, direction, text])).toEqual([
      [0, 'in', heartbeat('1')],
      [4, 'out', '[3,"1",{}]'],
      [9, 'out', '[2,"2","Reset",{}]'],
    ]);
  });
});
