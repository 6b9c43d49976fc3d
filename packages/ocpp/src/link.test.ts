import { describe, expect, it, vi } from 'vitest';
import { MAX_FRAMES_PER_SECOND, MAX_INBOUND_CALLS } from './limits.ts';
import { handlers, on } from './routes.ts';
import { connect, serveEachTest } from './testing/connect.ts';
import { DataTransfer } from './v16/data-transfer.ts';
import { Heartbeat } from './v16/heartbeat.ts';
import { MeterValues } from './v16/meter-values.ts';

serveEachTest();

const currentTime = '2026-11-15T10:00:00Z';

describe('a flood', () => {
  it('beyond the backlog of an hour is slowed down, and nothing is lost', async () => {
    const release = Promise.withResolvers<void>();
    const count = MAX_INBOUND_CALLS * 2;
    const { link, send, receive, events } = await connect(
      handlers(
        on(MeterValues, async () => {
          await release.promise;
          return {};
        }),
      ),
    );
    for (let id = 0; id < count; id++) send([2, String(id), 'MeterValues', { connectorId: 1, meterValue: [] }]);
    await vi.waitFor(() => expect(events).toContainEqual({ kind: 'slowed', reason: 'backlog' }));
    expect(link.openInbound).toBeGreaterThanOrEqual(MAX_INBOUND_CALLS);
    release.resolve();
    const answers = (await receive(count)) as [number, string][];
    expect(answers.map(([type, id]) => `${type}:${id}`)).toEqual(Array.from({ length: count }, (_, id) => `3:${id}`));
  });

  it('of cheap calls is slowed down so that other charge points are served, and all calls are answered', async () => {
    const count = MAX_FRAMES_PER_SECOND + 3000;
    // The clock is just before the next second, so that the wait is short.
    const { send, receive, events } = await connect(handlers(on(Heartbeat, () => ({ currentTime }))), {
      now: () => 900,
    });
    for (let id = 0; id < count; id++) send([2, String(id), 'Heartbeat', {}]);
    expect(await receive(count)).toHaveLength(count);
    expect(events).toEqual([{ kind: 'slowed', reason: 'rate' }]);
  });
});

it('any frame, including ping and pong, updates the time of the last sign of life', async () => {
  let now = 1000;
  const { link, socket, send } = await connect(handlers(), { now: () => now });
  expect(link.heardAt).toBe(1000);
  now = 2000;
  socket.ping();
  await vi.waitFor(() => expect(link.heardAt).toBe(2000));
  now = 3000;
  link.ping();
  await vi.waitFor(() => expect(link.heardAt).toBe(3000));
  now = 4000;
  send('noise');
  await vi.waitFor(() => expect(link.heardAt).toBe(4000));
});

it('every frame can be traced', async () => {
  const frames: string[] = [];
  const { send, receive } = await connect(handlers(on(Heartbeat, () => ({ currentTime }))), {
    received: (frame) => frames.push(`in ${frame.toString()}`),
    sent: (frame) => frames.push(`out ${frame}`),
  });
  send([2, '1', 'Heartbeat', {}]);
  await receive(1);
  expect(frames).toEqual(['in [2,"1","Heartbeat",{}]', `out [3,"1",{"currentTime":"${currentTime}"}]`]);
});

it.each([true, false])('an answer of any length and alphabet arrives unchanged (in one piece: %s)', async (isWired) => {
  const texts = [
    '',
    'ї',
    'x'.repeat(83),
    'x'.repeat(84),
    'x'.repeat(85),
    'ї'.repeat(42),
    'ї'.repeat(43),
    'x'.repeat(70_000),
  ];
  const { send, receive } = await connect(
    handlers(on(DataTransfer, ({ data = '' }) => ({ status: 'Accepted', data }))),
    { isWired },
  );
  for (const [id, data] of texts.entries()) send([2, String(id), 'DataTransfer', { vendorId: 'v', data }]);
  const answers = (await receive(texts.length)) as [number, string, { data: string }][];
  expect(answers.map(([, , { data }]) => data)).toEqual(texts);
});

it('one message has one handler', () => {
  expect(() =>
    handlers(
      on(Heartbeat, () => ({ currentTime })),
      on(Heartbeat, () => ({ currentTime })),
    ),
  ).toThrow();
});
