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
  transactionStory,
  untilHeard,
} from './testing/bench.ts';

describe('the line', () => {
  it('is not open to a wrong password', async () => {
    install('normal', { password: 'wrong' });
    await chargePoint.delay(120_000);
    expect(central.connects.size).toBe(0);
    chargePoint.password = central.password;
    await chargePoint.until(({ isConnected }) => isConnected);
  });

  it('comes back by itself when the central system was away', async () => {
    await power();
    await restartCentral();
    await chargePoint.until(({ isConnected }) => isConnected);
    // Only the line broke: no new boot.
    await untilHeard('StatusNotification', 3);
    expect(central.actions()).not.toContain('BootNotification');
  });

  it('is silent until the boot is accepted', async () => {
    central.bootStatus = 'Pending';
    install();
    await untilHeard('BootNotification', 1);
    expect(await remoteStart()).toEqual({ status: 'Rejected' });
    central.bootStatus = 'Accepted';
    await chargePoint.until(({ isBooted }) => isBooted);
    expect(new Set(central.actions().slice(0, 2))).toEqual(new Set(['BootNotification']));
  });

  it('keeps trying with a start that the central system fails to take, and the rest waits behind it', async () => {
    await power('normal', { configuration: { TransactionMessageRetryInterval: '5', TransactionMessageAttempts: '5' } });
    central.failures.set('StartTransaction', 2);
    const transactionId = await startCharging();
    await untilHeard('MeterValues', 1);
    expect(transactionStory().slice(0, 4)).toEqual([
      'StartTransaction',
      'StartTransaction',
      'StartTransaction',
      'MeterValues',
    ]);
    expect(central.requests(v16.MeterValues)[0]?.transactionId).toBe(transactionId);
  });

  it('drops a start after the last attempt and goes on without a number', async () => {
    await power('normal', { configuration: { TransactionMessageRetryInterval: '1', TransactionMessageAttempts: '2' } });
    central.failures.set('StartTransaction', 2);
    chargePoint.plug(1, { car: typicalCar() });
    await remoteStart();
    await untilHeard('MeterValues', 1);
    expect(central.heard.find(({ action }) => action === 'MeterValues')?.payload).toMatchObject({ transactionId: -1 });
  });
});
