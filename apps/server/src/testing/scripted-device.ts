import { RPCClient } from 'ocpp-rpc';
import { vi } from 'vitest';
import { type Clock, systemClock } from '../platform/clock.ts';

interface Options {
  url: string;
  identity: string;
  password: string;
  /** What the device puts in its messages; it is set by the server at each boot. */
  clock?: Clock;
}

type Reply = Record<string, unknown> | (() => Promise<Record<string, unknown>>);

/** A charge point that does exactly what a test says, built with an independent client library. */
export function createScriptedDevice({ url, identity, password, clock = systemClock }: Options) {
  const commands: { action: string; payload: Record<string, unknown> }[] = [];
  const replies: Record<string, Reply> = {
    GetConfiguration: {
      configurationKey: [{ key: 'ConnectionTimeOut', readonly: false, value: '60' }],
      unknownKey: [],
    },
    ChangeConfiguration: { status: 'Accepted' },
  };
  const client = new RPCClient({
    endpoint: url,
    identity,
    password: Buffer.from(password, 'hex'),
    protocols: ['ocpp1.6'],
    strictMode: false,
    reconnect: false,
    callTimeoutMs: 10_000,
    // The library's types require every option, but its code has a default for each.
  } as never);
  const answer = async ({ method, params }: { method: string; params: Record<string, unknown> }) => {
    commands.push({ action: method, payload: params });
    const reply = replies[method] ?? { status: 'Accepted' };
    return typeof reply === 'function' ? reply() : reply;
  };
  client.handle(answer as never);
  const now = () => clock.now().toISOString();

  return {
    commands,
    replies,
    client,
    call: (action: string, payload: object) => client.call(action, payload),
    async connect(): Promise<void> {
      await client.connect();
      await client.call('BootNotification', { chargePointVendor: 'Test', chargePointModel: 'Scripted' });
    },
    status: (connectorId: number, status: string, errorCode = 'NoError') =>
      client.call('StatusNotification', { connectorId, status, errorCode, timestamp: now() }),
    start: (connectorId: number, idTag: string, meterStart = 0, timestamp = now()) =>
      client.call('StartTransaction', { connectorId, idTag, meterStart, timestamp }) as Promise<{
        transactionId: number;
        idTagInfo: { status: string };
      }>,
    meter: (connectorId: number, transactionId: number, energyWh: number, powerW = 50_000, timestamp = now()) =>
      client.call('MeterValues', {
        connectorId,
        transactionId,
        meterValue: [
          {
            timestamp,
            sampledValue: [
              { value: String(energyWh), measurand: 'Energy.Active.Import.Register', unit: 'Wh' },
              { value: String(powerW), measurand: 'Power.Active.Import', unit: 'W' },
            ],
          },
        ],
      }),
    stop: (transactionId: number, meterStop: number, more: object = {}) =>
      client.call('StopTransaction', { transactionId, meterStop, timestamp: now(), ...more }),
    /** The newest command of this kind, as soon as there is one past `seen`. */
    async asked(action: string, seen = 0): Promise<Record<string, unknown>> {
      return vi.waitFor(
        () => {
          const found = commands.filter((command) => command.action === action);
          const next = found[seen];
          if (!next) throw new Error(`not asked for ${action} yet`);
          return next.payload;
        },
        { timeout: 15_000, interval: 30 },
      );
    },
    async close(): Promise<void> {
      await client.close({ force: true }).catch(() => {});
    },
  };
}

export type ScriptedDevice = ReturnType<typeof createScriptedDevice>;
