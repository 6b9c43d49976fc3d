import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { NetworkError } from '../../../api/errors.ts';
import { type PaymentWait, sendPayment } from './unsent-payment.ts';

let isOnline: boolean;
let waits: PaymentWait['kind'][];
let given: AbortController;
const send = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  isOnline = true;
  waits = [];
  given = new AbortController();
  send.mockReset();
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline);
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function press(wasSent = false) {
  const result = { value: null as unknown };
  const { signal } = given;
  void sendPayment(send, { signal, wasSent, onWait: ({ kind }) => void waits.push(kind) }).then(
    (reply) => (result.value = reply),
    (error: Error) => (result.value = error.name),
  );
  return result;
}
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
const noAnswer = (mayHaveArrived: boolean) => async () => {
  throw Object.assign(new NetworkError('no answer'), { mayHaveArrived });
};
function comeBack() {
  isOnline = true;
  dispatchEvent(new Event('online'));
}

describe('a payment that was pressed without a network', () => {
  it('is sent as soon as the network is back, within a minute [PAY-36]', async () => {
    isOnline = false;
    send.mockResolvedValue('paid');
    const result = press();
    await pass(40_000);
    expect(send).not.toHaveBeenCalled();
    expect(new Set(waits)).toEqual(new Set(['unsent']));
    comeBack();
    await pass(0);
    expect(result.value).toBe('paid');
    expect(send).toHaveBeenCalledOnce();
  });

  it('is withdrawn after a minute, and a later network sends nothing [PAY-36]', async () => {
    isOnline = false;
    const result = press();
    await pass(59_000);
    expect(result.value).toBeNull();
    await pass(1_000);
    expect(result.value).toBe('PaymentWithdrawn');
    comeBack();
    await pass(60_000);
    expect(send).not.toHaveBeenCalled();
  });

  it('is withdrawn by the driver at once [PAY-36]', async () => {
    isOnline = false;
    const result = press();
    await pass(5_000);
    given.abort();
    await pass(0);
    expect(result.value).toBe('PaymentWithdrawn');
    comeBack();
    await pass(10_000);
    expect(send).not.toHaveBeenCalled();
  });

  it('is not sent by a phone that slept for longer than the minute [PAY-36]', async () => {
    isOnline = false;
    const result = press();
    await pass(2_000);
    vi.setSystemTime(Date.now() + 5 * 60_000);
    comeBack();
    await pass(0);
    expect(result.value).toBe('PaymentWithdrawn');
    expect(send).not.toHaveBeenCalled();
  });

  it('waits in the same way for a network that the device reports and that does not work [PAY-36]', async () => {
    send.mockImplementation(noAnswer(false));
    const result = press();
    await pass(30_000);
    expect(waits.at(-1)).toBe('unsent');
    await pass(31_000);
    expect(result.value).toBe('PaymentWithdrawn');
  });
});

describe('a payment that may have arrived', () => {
  it('is followed until the server answers, and cannot be withdrawn [PAY-36]', async () => {
    send.mockImplementation(noAnswer(true));
    const result = press();
    await pass(0);
    expect(waits).toEqual(['unanswered']);
    given.abort();
    isOnline = false;
    await pass(10 * 60_000);
    expect(result.value).toBeNull();
    expect(new Set(waits)).toEqual(new Set(['unanswered']));
    send.mockResolvedValue('paid');
    comeBack();
    await pass(0);
    expect(result.value).toBe('paid');
  });

  it('stays one after attempts that were not sent [PAY-36]', async () => {
    send.mockImplementationOnce(noAnswer(true)).mockImplementation(noAnswer(false));
    const result = press();
    await pass(120_000);
    expect(result.value).toBeNull();
    expect(waits.at(-1)).toBe('unanswered');
  });

  it('is followed after a reload too [PAY-36]', async () => {
    isOnline = false;
    const result = press(true);
    await pass(120_000);
    expect(result.value).toBeNull();
    send.mockResolvedValue('paid');
    comeBack();
    await pass(0);
    expect(result.value).toBe('paid');
  });

  it('tells the driver when the answer takes long', async () => {
    send.mockReturnValue(new Promise(() => undefined));
    press();
    await pass(7_900);
    expect(waits).toEqual([]);
    await pass(200);
    expect(waits).toEqual(['unanswered']);
  });
});
