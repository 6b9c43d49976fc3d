import { CallFailed } from '@fpay/ocpp';
import { beforeEach, describe, expect, it } from 'vitest';
import { createManualClock } from './clock.ts';
import { MAX_QUEUED_MESSAGES, type TransactionMessage, TransactionQueue } from './transaction-queue.ts';

let clock: ReturnType<typeof createManualClock>;
let isOnline: boolean;
let sent: string[];
/** What the central system does with the next messages; after the last one it answers. */
let outcomes: ('answer' | 'refuse' | 'break')[];
let queue: TransactionQueue;
let repeats: boolean;

beforeEach(() => {
  clock = createManualClock();
  isOnline = true;
  repeats = false;
  sent = [];
  outcomes = [];
  const begin = clock.now();
  queue = new TransactionQueue({
    clock,
    isOnline: () => isOnline,
    attempts: () => 3,
    retryIntervalMs: () => 60_000,
    repeats: () => repeats,
    async send(action, payload) {
      sent.push(`${(clock.now() - begin) / 1000} ${action} ${JSON.stringify(payload)}`);
      const outcome = outcomes.shift();
      if (outcome === 'break') {
        isOnline = false;
        throw new CallFailed(action, 'closed', true, 'gone');
      }
      if (outcome === 'refuse') throw new CallFailed(action, 'refused', true, 'no', 'InternalError');
      return { n: sent.length };
    },
  });
});

const message = (
  action: TransactionMessage['action'],
  n: number,
  more: Partial<TransactionMessage> = {},
): TransactionMessage => ({
  action,
  payload: () => ({ n }),
  ...more,
});

describe('transaction messages', () => {
  it('are sent in order, one after the other', async () => {
    const answers: unknown[] = [];
    queue.push(message('StartTransaction', 1, { onAnswer: (answer) => answers.push(answer) }));
    queue.push(message('MeterValues', 2));
    queue.push(message('StopTransaction', 3));
    await queue.drained();
    expect(sent).toEqual(['0 StartTransaction {"n":1}', '0 MeterValues {"n":2}', '0 StopTransaction {"n":3}']);
    expect(answers).toEqual([{ n: 1 }]);
  });

  it('are kept while offline, and sent in order afterwards', async () => {
    isOnline = false;
    queue.push(message('StartTransaction', 1));
    queue.push(message('StopTransaction', 2));
    await clock.advance(3_600_000);
    expect(sent).toEqual([]);
    expect(queue.length).toBe(2);
    isOnline = true;
    await queue.flush();
    expect(sent).toEqual(['3600 StartTransaction {"n":1}', '3600 StopTransaction {"n":2}']);
  });

  it('that were in transit when the connection broke are sent again, without counting it as an attempt', async () => {
    outcomes = ['break', 'break', 'break', 'break', 'answer'];
    queue.push(message('StartTransaction', 1));
    for (let reconnects = 0; reconnects < 4; reconnects++) {
      await clock.advance(1000);
      isOnline = true;
      await queue.flush();
    }
    expect(sent).toHaveLength(5);
    expect(queue.length).toBe(0);
  });

  it('that are refused are retried after one interval, then after two, while the rest waits', async () => {
    outcomes = ['refuse', 'refuse', 'answer'];
    queue.push(message('StartTransaction', 1));
    queue.push(message('MeterValues', 2));
    await clock.advance(300_000);
    expect(sent).toEqual([
      '0 StartTransaction {"n":1}',
      '60 StartTransaction {"n":1}',
      '180 StartTransaction {"n":1}',
      '180 MeterValues {"n":2}',
    ]);
  });

  it('are dropped after the last attempt, and the next one is sent', async () => {
    let isDropped = false;
    outcomes = ['refuse', 'refuse', 'refuse'];
    queue.push(message('StartTransaction', 1, { onDropped: () => (isDropped = true) }));
    queue.push(message('StopTransaction', 2));
    await clock.advance(300_000);
    expect(isDropped).toBe(true);
    expect(sent.at(-1)).toBe('180 StopTransaction {"n":2}');
    expect(queue.length).toBe(0);
  });

  it('are sent twice in the scenario that repeats messages', async () => {
    repeats = true;
    queue.push(message('StopTransaction', 1));
    await queue.drained();
    expect(sent).toEqual(['0 StopTransaction {"n":1}', '0 StopTransaction {"n":1}']);
  });

  it('beyond the capacity replace the oldest samples, never a start or a stop', async () => {
    isOnline = false;
    queue.push(message('StartTransaction', 0));
    for (let n = 1; n < MAX_QUEUED_MESSAGES + 10; n++) queue.push(message('MeterValues', n));
    queue.push(message('StopTransaction', -1));
    expect(queue.length).toBe(MAX_QUEUED_MESSAGES);
    isOnline = true;
    await queue.flush();
    expect(sent[0]).toContain('StartTransaction');
    expect(sent[1]).toContain('{"n":12}');
    expect(sent.at(-1)).toContain('StopTransaction');
  });
});
