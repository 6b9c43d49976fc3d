import { v16 } from '@fpay/ocpp';
import { describe, expect, it, vi } from 'vitest';
import { createClock } from './clock.ts';
import {
  central,
  chargePoint,
  connector,
  install,
  meterSamples,
  power,
  remoteStart,
  SPEED,
  startCharging,
  statuses,
  transactionMessages,
  untilReceived,
  untilStatus,
  useBench,
} from './testing/bench.ts';

useBench();

describe('scenario', () => {
  it('rejects-start: refuses and stays in its state', async () => {
    await power('rejects-start');
    chargePoint.plug(1);
    expect(await remoteStart()).toEqual({ status: 'Rejected' });
    expect(connector().status).toBe('Preparing');
  });

  it('never-starts: accepts and lets the start time out', async () => {
    await power('never-starts', { configuration: { ConnectionTimeOut: '60' } });
    chargePoint.plug(1);
    expect(await remoteStart()).toEqual({ status: 'Accepted' });
    await chargePoint.delay(120_000);
    expect(transactionMessages()).toEqual([]);
    expect(connector().status).toBe('Preparing');
  });

  it('slow: answers late and delivers a third of its power', async () => {
    await power('slow');
    await startCharging();
    await untilReceived('MeterValues', 6);
    const powers = meterSamples().map(({ powerW }) => powerW ?? 0);
    expect(Math.max(...powers)).toBe(18_000);
  });

  it('drops-socket: charges while offline and sends everything afterwards in order', async () => {
    await power('drops-socket');
    await startCharging();
    await chargePoint.until(({ isConnected }) => !isConnected);
    const leftAt = Date.parse(chargePoint.uplink.timestamp());
    const whileAway = await chargePoint.until(({ queued }) => queued >= 4);
    expect(whileAway.isConnected).toBe(false);
    await chargePoint.until(({ isConnected }) => isConnected);
    const backAt = Date.parse(chargePoint.uplink.timestamp());
    await chargePoint.queue.drained();
    expect(central.connects.get('CP1')).toBe(2);
    expect(central.actions().filter((action) => action === 'BootNotification')).toHaveLength(1);
    const times = meterSamples().map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    // Everything that was measured while offline was sent.
    const away = times.filter((at) => at > leftAt && at < backAt);
    expect(away.length).toBeGreaterThanOrEqual(4);
  });

  it('reboots: loses power during a charge and reports the end after the boot, with the time of the power loss', async () => {
    await power('reboots');
    const transactionId = await startCharging();
    await untilReceived('StopTransaction', 1);
    const actions = central.actions();
    expect(actions.filter((action) => action === 'BootNotification')).toHaveLength(2);
    expect(actions.lastIndexOf('BootNotification')).toBeLessThan(actions.indexOf('StopTransaction'));
    const [stop] = central.requests(v16.StopTransaction);
    expect(stop).toMatchObject({ transactionId, reason: 'PowerLoss' });
    expect(Date.parse(stop?.timestamp ?? '')).toBeLessThan(Date.parse(chargePoint.uplink.timestamp()) - 15_000);
    expect(connector().status).toBe('Finishing');
  });

  it('repeats: sends every transaction message twice, with another message id', async () => {
    await power('repeats');
    const transactionId = await startCharging();
    await untilReceived('MeterValues', 2);
    await central.link().call(v16.RemoteStopTransaction, { transactionId });
    await untilReceived('StopTransaction', 2);
    for (const action of ['StartTransaction', 'StopTransaction']) {
      const [first, second] = central.received.filter((one) => one.action === action);
      expect(second?.payload).toEqual(first?.payload);
      expect(second?.messageId).not.toBe(first?.messageId);
    }
  });

  it('kwh: reports kilowatt-hours with the same meaning', async () => {
    await power('kwh');
    await startCharging();
    await untilReceived('MeterValues', 2);
    expect(JSON.stringify(central.received.find(({ action }) => action === 'MeterValues')?.payload)).toContain('"kWh"');
    expect(
      Math.abs((meterSamples()[0]?.energyWh ?? 0) - (central.requests(v16.StartTransaction)[0]?.meterStart ?? 0)),
    ).toBeLessThan(1000);
  });

  it('odd-units: sends unknown notations that a tolerant reader understands', async () => {
    await power('odd-units');
    await startCharging();
    await untilReceived('MeterValues', 2);
    const message = central.received.find(({ action }) => action === 'MeterValues');
    expect(message?.isConforming).toBe(false);
    expect(message?.repairs.join()).toContain('Hertz');
    const [first] = meterSamples();
    expect(
      Math.abs((first?.energyWh ?? 0) - (central.requests(v16.StartTransaction)[0]?.meterStart ?? 0)),
    ).toBeLessThan(1000);
    expect(first?.soc).toBeGreaterThanOrEqual(20);
    expect(first?.powerW).toBeLessThanOrEqual(60_000);
  });

  it('no-soc: does not report the state of charge', async () => {
    await power('no-soc');
    await startCharging();
    await untilReceived('MeterValues', 3);
    expect(meterSamples().filter(({ soc }) => soc !== undefined)).toEqual([]);
    expect(meterSamples()[0]?.energyWh).toBeGreaterThan(0);
  });

  it('meter-reset: its register restarts at zero', async () => {
    await power('meter-reset');
    const transactionId = await startCharging();
    await vi.waitFor(() => {
      const energies = meterSamples().map(({ energyWh }) => energyWh ?? 0);
      expect(Math.min(...energies.slice(1))).toBeLessThan(energies[0] ?? 0);
    }, 10_000);
    await central.link().call(v16.RemoteStopTransaction, { transactionId });
    await untilReceived('StopTransaction', 1);
    const [start] = central.requests(v16.StartTransaction);
    expect(central.requests(v16.StopTransaction)[0]?.meterStop).toBeLessThan(start?.meterStart ?? 0);
  });

  it('faulted: interrupts a running charge, refuses others, and recovers', async () => {
    await power();
    await startCharging();
    chargePoint.setScenario('faulted');
    await untilReceived('StopTransaction', 1);
    await vi.waitFor(() => expect(statuses().at(-1)).toBe('Faulted'));
    expect(central.requests(v16.StatusNotification).at(-1)?.errorCode).toBe('GroundFailure');
    expect(await remoteStart()).toEqual({ status: 'Rejected' });
    chargePoint.setScenario('normal');
    await vi.waitFor(() => expect(statuses().at(-1)).toBe('Finishing'));
  });

  it('clock-wrong: its clock is five hours behind', async () => {
    await power('clock-wrong', { clock: createClock({ speed: SPEED, stamps: 'wall' }) });
    await startCharging();
    const [start] = central.requests(v16.StartTransaction);
    expect(Math.round((Date.now() - Date.parse(start?.timestamp ?? '')) / 3_600_000)).toBe(5);
  });

  it('unplugs-early: the driver unplugs the cable during a charge', async () => {
    await power('unplugs-early');
    await startCharging();
    await untilReceived('StopTransaction', 1);
    expect(central.requests(v16.StopTransaction)[0]).toMatchObject({ reason: 'EVDisconnected' });
    await untilStatus('Available');
  });

  it('forgets-stop: ends without a StopTransaction', async () => {
    await power('forgets-stop');
    const transactionId = await startCharging();
    await central.link().call(v16.RemoteStopTransaction, { transactionId });
    await untilStatus('Finishing');
    chargePoint.unplug(1);
    await vi.waitFor(() => expect(statuses().at(-1)).toBe('Available'));
    expect(transactionMessages()).not.toContain('StopTransaction');
  });

  it('offline: does not connect until its scenario changes', async () => {
    install('offline');
    await chargePoint.delay(60_000);
    expect(central.connects.size).toBe(0);
    chargePoint.setScenario('normal');
    await chargePoint.until(({ isBooted }) => isBooted);
  });
});
