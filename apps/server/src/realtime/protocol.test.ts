import * as fc from 'fast-check';
import { beforeEach, describe, expect, test } from 'vitest';
import { type ClientFrame, readFrame } from './frames.ts';
import { answer, type Member, RecentAcks } from './protocol.ts';

let joined: string[];
let member: Member;

beforeEach(() => {
  joined = [];
  member = {
    rights: new Set(['user-7', 'operation-31']),
    done: new RecentAcks(3),
    join: (group) => void joined.push(group),
    leave: (group) => void joined.splice(joined.indexOf(group), 1),
  };
});

function say(frame: ClientFrame) {
  const reply = answer(frame, member);
  return reply === null ? null : JSON.parse(reply);
}

const failed = (ackId: number, name: string) => ({
  type: 'ack',
  ackId,
  success: false,
  error: { name, message: expect.any(String) },
});

describe('joining and leaving', () => {
  test('a granted group can be joined and left', () => {
    expect(say({ type: 'joinGroup', group: 'user-7', ackId: 1 })).toEqual({ type: 'ack', ackId: 1, success: true });
    expect(joined).toEqual(['user-7']);
    expect(say({ type: 'leaveGroup', group: 'user-7', ackId: 2 })).toEqual({ type: 'ack', ackId: 2, success: true });
    expect(joined).toEqual([]);
  });

  test('without an ackId a group is joined without an answer', () => {
    expect(say({ type: 'joinGroup', group: 'user-7' })).toBeNull();
    expect(joined).toEqual(['user-7']);
  });

  test.each(['user-8', 'user-', 'user-7 ', 'User-7', 'operation-3', 'operation-310', '*', ''])(
    'the group "%s" was not granted: Forbidden [LIVE-14]',
    (group) => {
      expect(say({ type: 'joinGroup', group, ackId: 1 })).toEqual(failed(1, 'Forbidden'));
      expect(say({ type: 'leaveGroup', group, ackId: 2 })).toEqual(failed(2, 'Forbidden'));
      expect(joined).toEqual([]);
    },
  );

  test.each([[undefined], [7], [['user-7']], [null]])('%j is not a group', (group) => {
    expect(say({ type: 'joinGroup', group, ackId: 1 })).toEqual(failed(1, 'BadRequest'));
  });
});

describe('requests that clients have no right to', () => {
  test('a client may not send to a group, not even to its own', () => {
    const frame = { type: 'sendToGroup', group: 'user-7', dataType: 'json', data: {} };
    expect(say({ ...frame, ackId: 1 })).toEqual(failed(1, 'Forbidden'));
    expect(say(frame)).toBeNull();
  });

  test('a client may not send events', () => {
    expect(say({ type: 'event', event: 'hello', dataType: 'text', data: 'x', ackId: 1 })).toEqual(
      failed(1, 'Forbidden'),
    );
  });

  test('an invocation gets the answer of its own type', () => {
    expect(say({ type: 'invoke', invocationId: 'i1', target: 'event', event: 'hello' })).toEqual({
      type: 'invokeResponse',
      invocationId: 'i1',
      success: false,
      error: { name: 'Forbidden', message: expect.any(String) },
    });
  });
});

describe('frames that this hub does not know', () => {
  test.each(['setGroupState', 'subscribeGroupState', 'unsubscribeGroupState', 'tomorrow', 'constructor', '__proto__'])(
    '%s gets a failed ack when it requests one, otherwise nothing',
    (type) => {
      expect(say({ type, group: 'user-7', ackId: 1 })).toEqual(failed(1, 'NotSupported'));
      expect(say({ type, group: 'user-7' })).toBeNull();
    },
  );

  test.each(['streamData', 'streamEnd', 'sequenceAck', 'cancelInvocation'])('%s is ignored', (type) => {
    expect(say({ type, streamId: 's', sequenceId: 3, invocationId: 'i1' })).toBeNull();
  });

  test('a ping gets its pong', () => {
    expect(say({ type: 'ping' })).toEqual({ type: 'pong' });
  });
});

describe('repeats', () => {
  test('a request that was already done is answered as a duplicate and not done again', () => {
    say({ type: 'joinGroup', group: 'user-7', ackId: 1 });
    expect(say({ type: 'joinGroup', group: 'user-7', ackId: 1 })).toEqual(failed(1, 'Duplicate'));
    expect(joined).toEqual(['user-7']);
  });

  test('a refused request stays refused, because a duplicate would mean success', () => {
    say({ type: 'joinGroup', group: 'user-8', ackId: 1 });
    expect(say({ type: 'joinGroup', group: 'user-8', ackId: 1 })).toEqual(failed(1, 'Forbidden'));
  });

  test('only the latest requests are remembered', () => {
    for (const ackId of [1, 2, 3, 4]) say({ type: 'joinGroup', group: 'user-7', ackId });
    expect(say({ type: 'joinGroup', group: 'user-7', ackId: 2 })).toEqual(failed(2, 'Duplicate'));
    expect(say({ type: 'joinGroup', group: 'user-7', ackId: 1 })).toMatchObject({ success: true });
  });
});

describe('reading a frame', () => {
  test.each([
    ['no JSON', '{"type":'],
    ['empty', ''],
    ['a list', '[]'],
    ['null', 'null'],
    ['a number', '7'],
    ['without type', '{"ackId":1}'],
    ['type is no text', '{"type":1}'],
    ['ackId is text', '{"type":"joinGroup","ackId":"1"}'],
    ['ackId is negative', '{"type":"joinGroup","ackId":-1}'],
    ['ackId is a fraction', '{"type":"joinGroup","ackId":1.5}'],
  ])('malformed: %s', (_what, text) => {
    expect(readFrame(text)).toBeNull();
  });

  test('unknown fields are accepted', () => {
    expect(readFrame('{"type":"joinGroup","group":"user-7","ackId":0,"later":true}')).toEqual({
      type: 'joinGroup',
      group: 'user-7',
      ackId: 0,
      later: true,
    });
  });
});

describe('arbitrary frames', () => {
  const types = ['ping', 'joinGroup', 'leaveGroup', 'sendToGroup', 'event', 'invoke', 'sequenceAck', 'toString'];
  const anyFrame = fc.record(
    {
      type: fc.oneof(fc.constantFrom(...types), fc.jsonValue()),
      group: fc.oneof(fc.constantFrom('user-7', 'user-8'), fc.jsonValue()),
      ackId: fc.oneof(fc.nat({ max: 5 }), fc.jsonValue()),
      invocationId: fc.jsonValue(),
    },
    { requiredKeys: [] },
  );

  test('a frame that requests an ack gets exactly that one, and no frame joins a group that was not granted', () => {
    fc.assert(
      fc.property(fc.array(anyFrame, { maxLength: 20 }), (frames) => {
        for (const anything of frames) {
          const frame = readFrame(JSON.stringify(anything));
          const reply = frame && say(frame);
          if (!frame || frame.type === 'ping' || frame.type === 'invoke') continue;
          if (frame.ackId === undefined) expect(reply).toBeNull();
          else expect(reply).toMatchObject({ type: 'ack', ackId: frame.ackId });
        }
        expect(joined.filter((group) => !member.rights.has(group))).toEqual([]);
      }),
    );
  });
});
