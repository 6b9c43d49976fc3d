import { v16 } from '@fpay/ocpp';
import { describe, expect, it, vi } from 'vitest';
import {
  central,
  chargePoint,
  connector,
  meterSamples,
  power,
  startCharging,
  untilReceived,
  untilStatus,
  useBench,
} from './testing/bench.ts';

useBench();

describe('a command', () => {
  it('changes and reads the configuration, which takes effect', async () => {
    await power();
    const link = central.link();
    const change = async (key: string, value: string) =>
      (await link.call(v16.ChangeConfiguration, { key, value })).status;
    expect(await change('MeterValueSampleInterval', '30')).toBe('Accepted');
    expect(await change('MeterValueSampleInterval', 'often')).toBe('Rejected');
    expect(await change('MeterValuesSampledData', 'Energy.Active.Import.Register,RPM')).toBe('Rejected');
    expect(await change('MeterValuesSampledData', 'Energy.Active.Import.Register,Current.Import')).toBe('Accepted');
    expect(await change('NumberOfConnectors', '9')).toBe('Rejected');
    expect(await change('Wings', 'true')).toBe('NotSupported');
    expect(
      await link.call(v16.GetConfiguration, { key: ['MeterValueSampleInterval', 'Wings', 'AuthorizationKey'] }),
    ).toEqual({
      configurationKey: [
        { key: 'MeterValueSampleInterval', readonly: false, value: '30' },
        { key: 'AuthorizationKey', readonly: false },
      ],
      unknownKey: ['Wings'],
    });
    expect((await link.call(v16.GetConfiguration, {})).configurationKey?.length).toBeGreaterThan(20);

    await startCharging();
    await untilReceived('MeterValues', 3);
    const [first, second] = meterSamples();
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(29_000);
    expect(Object.keys(first ?? {})).toEqual(['at', 'context', 'energyWh', 'currentA']);
  });

  it('sets the heartbeat interval', async () => {
    await power();
    await central.link().call(v16.ChangeConfiguration, { key: 'HeartbeatInterval', value: '10' });
    await untilReceived('Heartbeat', 3);
  });

  it('sets the ping interval, which is in real time at any speed', async () => {
    await power();
    const setAt = Date.now();
    await central.link().call(v16.ChangeConfiguration, { key: 'WebSocketPingInterval', value: '1' });
    await vi.waitFor(() => expect(central.pings).toBeGreaterThan(0), 10_000);
    expect(Date.now() - setAt).toBeGreaterThanOrEqual(1000);
  });

  it('triggers each message', async () => {
    await power();
    await untilReceived('StatusNotification', 3);
    const link = central.link();
    const trigger = async (
      requestedMessage:
        | 'Heartbeat'
        | 'StatusNotification'
        | 'MeterValues'
        | 'BootNotification'
        | 'FirmwareStatusNotification'
        | 'DiagnosticsStatusNotification',
      connectorId?: number,
    ) => {
      const request = connectorId === undefined ? { requestedMessage } : { requestedMessage, connectorId };
      return (await link.call(v16.TriggerMessage, request)).status;
    };
    expect(await trigger('StatusNotification')).toBe('Accepted');
    await untilReceived('StatusNotification', 6);
    expect(await trigger('MeterValues', 1)).toBe('Accepted');
    await untilReceived('MeterValues', 1);
    expect(meterSamples()[0]).toMatchObject({ context: 'Trigger', powerW: 0 });
    for (const message of [
      'Heartbeat',
      'BootNotification',
      'FirmwareStatusNotification',
      'DiagnosticsStatusNotification',
    ] as const) {
      expect(await trigger(message)).toBe('Accepted');
      await untilReceived(message, message === 'BootNotification' ? 2 : 1);
    }
    expect(await trigger('StatusNotification', 9)).toBe('Rejected');
  });

  it('takes a connector out of service, at once or when its charge ends', async () => {
    await power();
    const link = central.link();
    await startCharging();
    expect(await link.call(v16.ChangeAvailability, { connectorId: 0, type: 'Inoperative' })).toEqual({
      status: 'Scheduled',
    });
    await untilStatus('Unavailable', 2);
    expect(connector(1).status).toBe('Charging');
    chargePoint.unplug(1);
    await untilStatus('Unavailable', 1);
    expect(await link.call(v16.ChangeAvailability, { connectorId: 0, type: 'Operative' })).toEqual({
      status: 'Accepted',
    });
    await untilStatus('Available', 1);
    expect(await link.call(v16.ChangeAvailability, { connectorId: 9, type: 'Operative' })).toEqual({
      status: 'Rejected',
    });
  });

  it('unlocks a connector, which ends its charge', async () => {
    await power();
    await startCharging();
    expect(await central.link().call(v16.UnlockConnector, { connectorId: 1 })).toEqual({ status: 'Unlocked' });
    await untilReceived('StopTransaction', 1);
    expect(central.requests(v16.StopTransaction)[0]).toMatchObject({ reason: 'UnlockCommand' });
  });

  it('resets softly: the charge ends and is reported before the reboot', async () => {
    await power();
    await startCharging();
    expect(await central.link().call(v16.Reset, { type: 'Soft' })).toEqual({ status: 'Accepted' });
    await untilReceived('BootNotification', 2);
    const actions = central.actions();
    expect(actions.indexOf('StopTransaction')).toBeLessThan(actions.lastIndexOf('BootNotification'));
    expect(central.requests(v16.StopTransaction)[0]).toMatchObject({ reason: 'SoftReset' });
  });

  it('resets hard: the end of the charge is reported after the reboot', async () => {
    await power();
    await startCharging();
    expect(await central.link().call(v16.Reset, { type: 'Hard' })).toEqual({ status: 'Accepted' });
    await untilReceived('StopTransaction', 1);
    const actions = central.actions();
    expect(actions.indexOf('StopTransaction')).toBeGreaterThan(actions.lastIndexOf('BootNotification'));
    expect(central.requests(v16.StopTransaction)[0]).toMatchObject({ reason: 'HardReset' });
  });

  it('limits the power by a profile and removes the limit', async () => {
    await power();
    const link = central.link();
    const profile = (limit: number) => ({
      connectorId: 1,
      csChargingProfiles: {
        chargingProfileId: 1,
        stackLevel: 0,
        chargingProfilePurpose: 'TxProfile' as const,
        chargingProfileKind: 'Relative' as const,
        chargingSchedule: { chargingRateUnit: 'W' as const, chargingSchedulePeriod: [{ startPeriod: 0, limit }] },
      },
    });
    expect(await link.call(v16.SetChargingProfile, profile(0))).toEqual({ status: 'Rejected' });
    await startCharging();
    expect(await link.call(v16.SetChargingProfile, profile(0))).toEqual({ status: 'Accepted' });
    await untilStatus('SuspendedEVSE');
    expect(await link.call(v16.SetChargingProfile, profile(7000))).toEqual({ status: 'Accepted' });
    await untilStatus('Charging');
    await vi.waitFor(() => expect(meterSamples().at(-1)?.powerW).toBe(7000), 10_000);
    expect(await link.call(v16.ClearChargingProfile, {})).toEqual({ status: 'Accepted' });
    expect(await link.call(v16.ClearChargingProfile, {})).toEqual({ status: 'Unknown' });
  });

  it('of another kind is answered as in the standard', async () => {
    await power();
    const link = central.link();
    expect(await link.call(v16.ClearCache, {})).toEqual({ status: 'Accepted' });
    expect(await link.call(v16.DataTransfer, { vendorId: 'x' })).toEqual({ status: 'UnknownVendorId' });
    await expect(link.callUnchecked('ReserveNow', {})).rejects.toMatchObject({ code: 'NotImplemented' });
  });
});
