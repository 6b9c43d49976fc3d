import { v16 } from '@fpay/ocpp';
import { describe, expect, it } from 'vitest';
import { typicalCar } from './car.ts';
import {
  central,
  chargePoint,
  install,
  power,
  remoteStart,
  restartCentral,
  startCharging,
  transactionMessages,
  untilReceived,
  useBench,
} from './testing/bench.ts';

useBench();

describe('the connection', () => {
  it('is refused with a wrong password', async () => {
    install('normal', { password: 'wrong' });
    await chargePoint.delay(120_000);
    expect(central.connects.size).toBe(0);
    chargePoint.password = central.password;
    await chargePoint.until(({ isConnected }) => isConnected);
  });

  it('reconnects after the central system was down', async () => {
    await power();
    await restartCentral();
    await chargePoint.until(({ isConnected }) => isConnected);
    // Only the connection broke, so there is no new boot.
    await untilReceived('StatusNotification', 3);
    expect(central.actions()).not.toContain('BootNotification');
  });

  it('sends nothing until the boot is accepted', async () => {
    central.bootStatus = 'Pending';
    install();
    await untilReceived('BootNotification', 1);
    expect(await remoteStart()).toEqual({ status: 'Rejected' });
    central.bootStatus = 'Accepted';
    await chargePoint.until(({ isBooted }) => isBooted);
    expect(new Set(central.actions().slice(0, 2))).toEqual(new Set(['BootNotification']));
  });

  it('retries a start that the central system fails to accept, and the rest waits behind it', async () => {
    await power('normal', { configuration: { TransactionMessageRetryInterval: '5', TransactionMessageAttempts: '5' } });
    central.failures.set('StartTransaction', 2);
    const transactionId = await startCharging();
    await untilReceived('MeterValues', 1);
    expect(transactionMessages().slice(0, 4)).toEqual([
      'StartTransaction',
      'StartTransaction',
      'StartTransaction',
      'MeterValues',
    ]);
    expect(central.requests(v16.MeterValues)[0]?.transactionId).toBe(transactionId);
  });

  it('drops a start after the last attempt and continues without a transaction id', async () => {
    await power('normal', { configuration: { TransactionMessageRetryInterval: '1', TransactionMessageAttempts: '2' } });
    central.failures.set('StartTransaction', 2);
    chargePoint.plug(1, { car: typicalCar() });
    await remoteStart();
    await untilReceived('MeterValues', 1);
    expect(central.received.find(({ action }) => action === 'MeterValues')?.payload).toMatchObject({
      transactionId: -1,
    });
  });
});
