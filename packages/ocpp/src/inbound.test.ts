import { describe, expect, it, vi } from 'vitest';
import { CallRefused } from './codes.ts';
import { handlers, on } from './routes.ts';
import { connect, serveEachTest } from './testing/connect.ts';
import { Authorize } from './v16/authorize.ts';
import { Heartbeat } from './v16/heartbeat.ts';
import { MeterValues } from './v16/meter-values.ts';
import { StartTransaction } from './v16/start-transaction.ts';
import { StatusNotification } from './v16/status-notification.ts';
import { StopTransaction } from './v16/stop-transaction.ts';

serveEachTest();

const timestamp = '2026-11-15T10:00:00Z';
const currentTime = '2026-11-15T10:00:00Z';
const start = { connectorId: 1, idTag: 'ABC', meterStart: 0, timestamp };
const stop = { transactionId: 1, meterStop: 5, timestamp };
const accepted = { idTagInfo: { status: 'Accepted' as const } };

describe('a call of the charge point', () => {
  it('is answered by its handler, which gets the context of the connection', async () => {
    const seen: unknown[] = [];
    const { send, receive } = await connect(
      handlers(
        on(Authorize, (request, { context, messageId, repairs }) => {
          seen.push({ request, context, messageId, repairs });
          return accepted;
        }),
      ),
    );
    send([2, 'a', 'Authorize', { idTag: 'ABC' }]);
    expect(await receive(1)).toEqual([[3, 'a', accepted]]);
    expect(seen).toEqual([{ request: { idTag: 'ABC' }, context: 'CP1', messageId: 'a', repairs: [] }]);
  });

  it('with a number as id gets the number in the answer', async () => {
    const { send, receive } = await connect(handlers(on(Heartbeat, () => ({ currentTime }))));
    send([2, 7, 'Heartbeat', {}]);
    expect(await receive(1)).toEqual([[3, 7, { currentTime }]]);
  });

  it('is refused with the matching code, and the connection stays open', async () => {
    const { socket, send, receive } = await connect(
      handlers(
        on(Heartbeat, () => ({ currentTime })),
        on(Authorize, () => accepted),
        on(MeterValues, () => ({})),
      ),
    );
    send([2, '1', 'Nonsense', {}]);
    send([2, '2', 'Authorize', {}]);
    send([2, '3', 'Authorize', { idTag: [] }]);
    send([2, '4', 'MeterValues', 'x']);
    send([2, '5']);
    socket.send('[2,"6","Authorize",{');
    socket.send(`[2,"7","Authorize",{"idTag":"${'x'.repeat(1024 * 1024)}"}]`);
    send([2, '8', 'Heartbeat', {}]);
    expect(await receive(8)).toEqual([
      [4, '1', 'NotImplemented', 'this action is not known here', {}],
      [4, '2', 'OccurenceConstraintViolation', 'idTag is missing', {}],
      [4, '3', 'TypeConstraintViolation', 'idTag is a list, not text', {}],
      [4, '4', 'FormationViolation', 'is "x", not an object', {}],
      [4, '5', 'FormationViolation', 'a call without an action', {}],
      [4, '6', 'FormationViolation', 'not JSON', {}],
      [4, '7', 'FormationViolation', 'frame too large', {}],
      [3, '8', { currentTime }],
    ]);
  });

  it('is refused with the code of its protocol version', async () => {
    const { send, receive } = await connect(handlers(on(Authorize, () => accepted)), { protocol: 'ocpp2.0.1' });
    send([2, '1', 'Authorize', {}]);
    send([2, '2']);
    expect(await receive(2)).toEqual([
      [4, '1', 'OccurrenceConstraintViolation', 'idTag is missing', {}],
      [4, '2', 'FormatViolation', 'a call without an action', {}],
    ]);
  });

  it('that is noise is dropped and reported, and the connection stays open', async () => {
    const { socket, send, receive, events } = await connect(handlers(on(Heartbeat, () => ({ currentTime }))));
    socket.send('hello');
    socket.send('{}');
    socket.send(Buffer.from([1, 2, 3]));
    send([9, 'x', {}]);
    socket.send(Buffer.from(JSON.stringify([2, 'binary', 'Heartbeat', {}])), { binary: true });
    expect(await receive(1)).toEqual([[3, 'binary', { currentTime }]]);
    expect(events.map((event) => (event.kind === 'badFrame' ? event.reason : event.kind))).toEqual([
      'not JSON',
      'not an array',
      'binary',
      'unknown message type',
    ]);
  });

  it('with a repairable error is handled, and the repair is reported', async () => {
    const { socket, receive, events } = await connect(handlers(on(MeterValues, () => ({}))));
    socket.send('[2,"1","MeterValues",{"connectorId":1,"transactionId":,"meterValue":[]}]');
    expect(await receive(1)).toEqual([[3, '1', {}]]);
    expect(events).toEqual([
      { kind: 'repaired', action: 'MeterValues', of: 'request', repairs: ['broken JSON repaired'] },
      { kind: 'repaired', action: 'MeterValues', of: 'request', repairs: ['transactionId: null, taken as left out'] },
    ]);
  });

  it('whose handler fails gets InternalError without the reason', async () => {
    const { send, receive, events } = await connect(
      handlers(
        on(Authorize, () => Promise.reject(new Error('password=secret'))),
        on(Heartbeat, () => {
          throw new CallRefused('security', 'not you');
        }),
        on(StartTransaction, () => ({ transactionId: 1 }) as never),
      ),
    );
    send([2, '1', 'Authorize', { idTag: 'A' }]);
    await receive(1);
    send([2, '2', 'Heartbeat', {}]);
    send([2, '3', 'StartTransaction', start]);
    expect(await receive(3)).toEqual([
      [4, '1', 'InternalError', 'internal error', {}],
      [4, '2', 'SecurityError', 'not you', {}],
      [4, '3', 'InternalError', 'internal error', {}],
    ]);
    expect(events.filter(({ kind }) => kind === 'handlerFailed')).toHaveLength(2);
  });

  it('of a transaction waits for the previous one; other calls overtake it', async () => {
    const done: string[] = [];
    let finishStart = () => {};
    const { send, receive } = await connect(
      handlers(
        on(StartTransaction, async () => {
          await new Promise<void>((resolve) => {
            finishStart = resolve;
          });
          done.push('start');
          return { ...accepted, transactionId: 1 };
        }),
        on(MeterValues, () => {
          done.push('meter');
          return {};
        }),
        on(StopTransaction, async () => {
          done.push('stop');
          return {};
        }),
        on(Heartbeat, () => {
          done.push('heartbeat');
          finishStart();
          return { currentTime };
        }),
      ),
    );
    send([2, '1', 'StartTransaction', start]);
    send([2, '2', 'MeterValues', { connectorId: 1, meterValue: [] }]);
    send([2, '3', 'StopTransaction', stop]);
    send([2, '4', 'Heartbeat', {}]);
    const answers = (await receive(4)) as [number, string][];
    expect(done).toEqual(['heartbeat', 'start', 'meter', 'stop']);
    expect(answers.map(([, id]) => id)).toEqual(['4', '1', '2', '3']);
  });

  it('is still handled when the socket closed before its turn', async () => {
    const stopped = Promise.withResolvers<number | null>();
    const closed = Promise.withResolvers<void>();
    const { socket, send } = await connect(
      handlers(
        on(StartTransaction, async () => {
          await closed.promise;
          return { ...accepted, transactionId: 1 };
        }),
        on(StopTransaction, ({ meterStop }) => {
          stopped.resolve(meterStop);
          return {};
        }),
      ),
      { observe: (event) => event.kind === 'closed' && closed.resolve() },
    );
    send([2, '1', 'StartTransaction', start]);
    send([2, '2', 'StopTransaction', stop]);
    socket.close();
    expect(await stopped.promise).toBe(5);
  });

  it('whose handler never answers does not block the others forever', async () => {
    let now = 0;
    const { link, send, receive, events } = await connect(
      handlers(
        on(StartTransaction, () => new Promise<never>(() => {})),
        on(StopTransaction, () => ({})),
      ),
      { now: () => now },
    );
    send([2, '1', 'StartTransaction', start]);
    send([2, '2', 'StopTransaction', stop]);
    await vi.waitFor(() => expect(link.openInbound).toBe(2));
    now = 121_000;
    send([2, '3', 'StopTransaction', stop]);
    expect(await receive(3)).toEqual([
      [4, '1', 'InternalError', 'internal error', {}],
      [3, '2', {}],
      [3, '3', {}],
    ]);
    expect(events[0]).toEqual({ kind: 'handlerStuck', action: 'StartTransaction', messageId: '1' });
  });
});

it('joined calls that follow each other are handled together, and the next of another kind waits for all of them', async () => {
  const begun: string[] = [];
  const open: (() => void)[] = [];
  const { send, receive } = await connect(
    handlers(
      on(
        StatusNotification,
        async (_request, { messageId }) => {
          begun.push(String(messageId));
          await new Promise<void>((resolve) => open.push(resolve));
          return {};
        },
        { isJoined: true },
      ),
      on(MeterValues, (_request, { messageId }) => {
        begun.push(String(messageId));
        return {};
      }),
    ),
  );
  const status = { connectorId: 1, errorCode: 'NoError', status: 'Charging' };
  for (const id of ['a', 'b', 'c']) send([2, id, 'StatusNotification', status]);
  send([2, 'd', 'MeterValues', { connectorId: 1, meterValue: [] }]);
  send([2, 'e', 'StatusNotification', status]);
  await vi.waitFor(() => expect(begun).toEqual(['a', 'b', 'c']));
  // In another order than they began.
  for (const finish of open.splice(0).toReversed()) finish();
  await vi.waitFor(() => expect(begun).toEqual(['a', 'b', 'c', 'd', 'e']));
  for (const finish of open) finish();
  const answers = (await receive(5)) as unknown[][];
  expect(answers.map(([, id]) => id)).toEqual(['c', 'b', 'a', 'd', 'e']);
});
