import { describe, expect, it } from 'vitest';
import { MAX_QUEUED_CALLS } from './limits.ts';
import { CallFailed } from './outbound.ts';
import { handlers, on } from './routes.ts';
import { connect, serveEachTest } from './testing/connect.ts';
import { Heartbeat } from './v16/heartbeat.ts';
import { RemoteStopTransaction } from './v16/remote-stop-transaction.ts';
import { Reset } from './v16/reset.ts';

serveEachTest();

const currentTime = '2026-11-15T10:00:00Z';

describe('a call of ours', () => {
  it('waits until the previous one is answered, and urgent ones go first', async () => {
    const { link, send, received, receive } = await connect();
    const answers = [
      link.call(Reset, { type: 'Soft' }),
      link.call(Reset, { type: 'Hard' }),
      link.call(RemoteStopTransaction, { transactionId: 5 }, { isUrgent: true }),
    ];
    expect(link.waitingCalls).toBe(3);
    for (const count of [1, 2, 3]) {
      const [, id] = (await receive(count))[count - 1] as [number, string];
      expect(received).toHaveLength(count);
      send([3, id, { status: 'Accepted' }]);
    }
    expect(await Promise.all(answers)).toEqual(Array(3).fill({ status: 'Accepted' }));
    expect(received.map((frame) => (frame as unknown[])[3])).toEqual([
      { type: 'Soft' },
      { transactionId: 5 },
      { type: 'Hard' },
    ]);
  });

  it('that must not wait is sent beside an open one, and each answer is matched to its call', async () => {
    const { link, send, receive } = await connect();
    const open = link.call(Reset, { type: 'Soft' });
    const waiting = link.call(Reset, { type: 'Hard' });
    const stop = link.call(RemoteStopTransaction, { transactionId: 5 }, { isUrgent: true, overtakesAfterMs: 0 });
    const [[, openId], [, stopId]] = (await receive(2)) as [[number, string], [number, string]];
    expect(link.waitingCalls).toBe(3);
    send([3, stopId, { status: 'Accepted' }]);
    expect(await stop).toEqual({ status: 'Accepted' });
    send([3, openId, { status: 'Rejected' }]);
    expect(await open).toEqual({ status: 'Rejected' });
    // The call that waited for its turn was not sent with them.
    const waitingId = ((await receive(3))[2] as [number, string])[1];
    send([3, waitingId, { status: 'Accepted' }]);
    expect(await waiting).toEqual({ status: 'Accepted' });
  });

  it('that may wait a limited time overtakes an unanswered call after that time, and not before', async () => {
    const { link, send, receive, received } = await connect();
    const open = link.call(Reset, { type: 'Soft' }, { timeoutMs: 300 });
    const start = link.call(RemoteStopTransaction, { transactionId: 5 }, { isUrgent: true, overtakesAfterMs: 60 });
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(received).toHaveLength(1);
    const [, [, id]] = (await receive(2)) as [[number, string], [number, string]];
    send([3, id, { status: 'Accepted' }]);
    expect(await start).toEqual({ status: 'Accepted' });
    await expect(open).rejects.toMatchObject({ failure: 'timeout' });
    expect(link.waitingCalls).toBe(0);
  });

  it('that overtook another fails with the connection like any other', async () => {
    const { link, receive } = await connect();
    const calls = [
      link.call(Reset, { type: 'Soft' }),
      link.call(RemoteStopTransaction, { transactionId: 5 }, { overtakesAfterMs: 0 }),
    ].map((call) => call.catch((error: CallFailed) => [error.failure, error.wasSent]));
    await receive(2);
    link.terminate();
    expect(await Promise.all(calls)).toEqual([
      ['closed', true],
      ['closed', true],
    ]);
  });

  it('that is not answered in time fails alone, and its late answer is not matched to another call', async () => {
    const { link, send, receive, events } = await connect();
    const first = link.call(Reset, { type: 'Soft' }, { timeoutMs: 20 });
    await expect(first).rejects.toMatchObject({ failure: 'timeout', wasSent: true });
    const second = link.call(Reset, { type: 'Hard' });
    const [[, firstId], [, secondId]] = (await receive(2)) as [[number, string], [number, string]];
    send([3, firstId, { status: 'Accepted' }]);
    send([3, secondId, { status: 'Rejected' }]);
    expect(await second).toEqual({ status: 'Rejected' });
    expect(events).toEqual([{ kind: 'strayAnswer', messageId: firstId }]);
  });

  it('crosses a call from the other side without blocking', async () => {
    const { link, send, receive } = await connect(handlers(on(Heartbeat, () => ({ currentTime }))));
    const answer = link.call(Reset, { type: 'Soft' });
    send([2, 'theirs', 'Heartbeat', {}]);
    const frames = (await receive(2)) as [number, string][];
    expect(frames[1]).toEqual([3, 'theirs', { currentTime }]);
    send([3, frames[0]?.[1], { status: 'Accepted' }]);
    expect(await answer).toEqual({ status: 'Accepted' });
  });

  const answers: [what: string, answer: unknown[], outcome: object][] = [
    ['an error', [4, 'NotSupported', 'no', {}], { failure: 'refused', code: 'NotSupported', fault: 'unsupported' }],
    ['an error of another spelling', [4, 'FormatViolation', '', {}], { failure: 'refused', fault: 'formation' }],
    ['an unknown code', [4, 'Whatever', '', {}], { failure: 'refused', code: 'Whatever', fault: 'generic' }],
    ['nothing in the answer', [3, {}], { failure: 'unreadable', wasSent: true }],
    ['an unknown status', [3, { status: 'Perhaps' }], { failure: 'unreadable', wasSent: true }],
  ];
  it.each(answers)('reports what went wrong: %s', async (_, [type, ...rest], outcome) => {
    const { link, send, receive } = await connect();
    const answer = link.call(Reset, { type: 'Soft' });
    const [[, id]] = (await receive(1)) as [[number, string]];
    send([type, id, ...rest]);
    const error = await answer.catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(CallFailed);
    expect(error).toMatchObject(outcome);
  });

  it('has its answer read tolerantly', async () => {
    const { link, send, receive, events } = await connect();
    const answer = link.call(Reset, { type: 'Soft' });
    const [[, id]] = (await receive(1)) as [[number, string]];
    send([3, id, { status: 'accepted', extra: 1 }]);
    expect(await answer).toEqual({ status: 'Accepted' });
    expect(events[0]).toMatchObject({ kind: 'repaired', of: 'response' });
  });

  it('fails at once when the connection closes, and reports whether it was sent', async () => {
    const { link, socket, receive } = await connect();
    const calls = [link.call(Reset, { type: 'Soft' }), link.call(Reset, { type: 'Hard' })];
    await receive(1);
    socket.terminate();
    const errors = await Promise.all(calls.map((call) => call.catch((reason: unknown) => reason)));
    expect(errors).toMatchObject([
      { failure: 'closed', wasSent: true },
      { failure: 'closed', wasSent: false },
    ]);
    await expect(link.call(Reset, { type: 'Soft' })).rejects.toMatchObject({ failure: 'closed', wasSent: false });
  });

  it('is refused when too many wait, and fails when its turn never comes', async () => {
    const { link } = await connect();
    const sent = link.call(Reset, { type: 'Soft' });
    const queued = Array.from({ length: MAX_QUEUED_CALLS }, () =>
      link.call(Reset, { type: 'Soft' }, { queueWaitMs: 20 }),
    );
    await expect(link.call(Reset, { type: 'Soft' })).rejects.toMatchObject({ failure: 'queueFull', wasSent: false });
    for (const call of queued) await expect(call).rejects.toMatchObject({ failure: 'timeout', wasSent: false });
    expect(link.waitingCalls).toBe(1);
    link.terminate();
    await expect(sent).rejects.toMatchObject({ failure: 'closed' });
  });

  it('that does not conform to the standard is never sent', async () => {
    const { link } = await connect();
    await expect(link.call(Reset, { type: 'Medium' as never })).rejects.toThrow('Reset request violates the standard');
    expect(link.waitingCalls).toBe(0);
  });
});
