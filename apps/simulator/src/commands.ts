import { handlers, on } from '@fpay/ocpp';
import { Authorize } from '@fpay/ocpp/v16/authorize';
import { ChangeAvailability } from '@fpay/ocpp/v16/change-availability';
import { ChangeConfiguration } from '@fpay/ocpp/v16/change-configuration';
import { ClearCache } from '@fpay/ocpp/v16/clear-cache';
import { ClearChargingProfile } from '@fpay/ocpp/v16/clear-charging-profile';
import { DataTransfer } from '@fpay/ocpp/v16/data-transfer';
import { DiagnosticsStatusNotification } from '@fpay/ocpp/v16/diagnostics-status-notification';
import { FirmwareStatusNotification } from '@fpay/ocpp/v16/firmware-status-notification';
import { GetConfiguration } from '@fpay/ocpp/v16/get-configuration';
import { RemoteStartTransaction } from '@fpay/ocpp/v16/remote-start-transaction';
import { RemoteStopTransaction } from '@fpay/ocpp/v16/remote-stop-transaction';
import { Reset } from '@fpay/ocpp/v16/reset';
import { SetChargingProfile } from '@fpay/ocpp/v16/set-charging-profile';
import { TriggerMessage } from '@fpay/ocpp/v16/trigger-message';
import { UnlockConnector } from '@fpay/ocpp/v16/unlock-connector';
import type { ChargePoint } from './charge-point.ts';
import { clearProfiles } from './charging-limit.ts';
import type { Connector } from './connector.ts';
import { authorise } from './reader.ts';
import { end, sample } from './transactions.ts';

/** Between an answer and what it promised: the answer goes first. */
const AFTERWARDS_MS = 300;

/** What the central system may ask of a charge point; everything else is answered NotImplemented. One table for all. */
export const commandHandlers = handlers<ChargePoint>(
  on(RemoteStartTransaction, async ({ idTag, connectorId }, { context }) => {
    await thinkAbout(context);
    const connector = connectorFor(context, connectorId);
    if (!context.behaviour.acceptsRemoteStart || !context.uplink.isBooted || connector === null) return rejected;
    if (!connector.isUsable || connector.transaction !== null) return rejected;
    afterwards(context, () => void remoteStart(context, connector, idTag));
    return accepted;
  }),

  on(RemoteStopTransaction, async ({ transactionId }, { context }) => {
    await thinkAbout(context);
    const connector = context.connectors.find(({ transaction }) => transaction?.id === transactionId);
    if (connector === undefined) return rejected;
    afterwards(context, () => end(context, connector, 'Remote'));
    return accepted;
  }),

  on(Reset, async ({ type }, { context }) => {
    await thinkAbout(context);
    afterwards(context, () => (type === 'Hard' ? context.restart('HardReset') : void context.softReset()));
    return accepted;
  }),

  on(ChangeConfiguration, async ({ key, value }, { context }) => {
    await thinkAbout(context);
    const isTooOften = key === 'MeterValueSampleInterval' && Number(value) < context.behaviour.leastSampleSeconds;
    const status = isTooOften ? 'Rejected' : context.configuration.change(key, value);
    if (status === 'Accepted') context.applyConfiguration(key, value);
    return { status };
  }),

  on(GetConfiguration, async ({ key }, { context }) => {
    await thinkAbout(context);
    return context.configuration.read(key);
  }),

  on(TriggerMessage, async ({ requestedMessage, connectorId }, { context }) => {
    await thinkAbout(context);
    if (connectorId !== undefined && connectorId > 0 && connectorFor(context, connectorId) === null) return rejected;
    afterwards(context, () => void triggered[requestedMessage](context, connectorId).catch(() => {}));
    return accepted;
  }),

  on(UnlockConnector, async ({ connectorId }, { context }) => {
    await thinkAbout(context);
    const connector = connectorFor(context, connectorId);
    if (connector === null) return { status: 'NotSupported' };
    end(context, connector, 'UnlockCommand');
    return { status: 'Unlocked' };
  }),

  on(ChangeAvailability, async ({ connectorId, type }, { context }) => {
    await thinkAbout(context);
    const connectors = connectorId === 0 ? context.connectors : [connectorFor(context, connectorId)];
    const outcomes: string[] = [];
    for (const connector of connectors) {
      if (connector === null) return rejected;
      outcomes.push(context.setOperative(connector, type === 'Operative'));
    }
    return { status: outcomes.includes('Scheduled') ? 'Scheduled' : 'Accepted' };
  }),

  on(SetChargingProfile, async ({ connectorId, csChargingProfiles: profile }, { context }) => {
    await thinkAbout(context);
    const connector = connectorId === 0 ? null : connectorFor(context, connectorId);
    const isForTransaction = profile.chargingProfilePurpose === 'TxProfile';
    const { transaction = null } = connector ?? {};
    if (isForTransaction && transaction === null) return rejected;
    if (profile.transactionId !== undefined && profile.transactionId !== transaction?.id) return rejected;
    const others = context.profiles.filter((stored) => stored.profile.chargingProfileId !== profile.chargingProfileId);
    context.profiles = [...others, { connectorId, profile }];
    return accepted;
  }),

  on(ClearChargingProfile, async (filter, { context }) => {
    await thinkAbout(context);
    const { kept, hasCleared } = clearProfiles(context.profiles, filter);
    context.profiles = kept;
    return { status: hasCleared ? 'Accepted' : 'Unknown' };
  }),

  on(ClearCache, () => accepted),
  on(DataTransfer, () => ({ status: 'UnknownVendorId' })),
);

const accepted = { status: 'Accepted' } as const;
const rejected = { status: 'Rejected' } as const;

type Triggered = (chargePoint: ChargePoint, connectorId: number | undefined) => Promise<unknown>;

const triggered = {
  BootNotification: ({ uplink }) => uplink.boot(),
  Heartbeat: ({ uplink }) => uplink.heartbeat(),
  DiagnosticsStatusNotification: ({ uplink }) => uplink.call(DiagnosticsStatusNotification, { status: 'Idle' }),
  FirmwareStatusNotification: ({ uplink }) => uplink.call(FirmwareStatusNotification, { status: 'Idle' }),
  StatusNotification: async (chargePoint, connectorId) => {
    if (connectorId === undefined || connectorId === 0) chargePoint.reportOwnStatus();
    for (const connector of named(chargePoint, connectorId)) chargePoint.reportStatus(connector);
  },
  MeterValues: async (chargePoint, connectorId) => {
    for (const connector of named(chargePoint, connectorId)) sample(chargePoint, connector, 'Trigger');
  },
} satisfies Record<string, Triggered>;

/** No connector means all of them. */
function named({ connectors }: ChargePoint, connectorId: number | undefined): readonly Connector[] {
  return connectorId === undefined ? connectors : connectors.filter(({ spec }) => spec.id === connectorId);
}

/** Without an id only a charge point with one connector knows which is meant. */
function connectorFor({ connectors }: ChargePoint, connectorId: number | undefined): Connector | null {
  if (connectorId === undefined) return connectors.length === 1 ? (connectors[0] ?? null) : null;
  return connectors.find(({ spec }) => spec.id === connectorId) ?? null;
}

async function remoteStart(chargePoint: ChargePoint, connector: Connector, idTag: string): Promise<void> {
  if (chargePoint.configuration.flag('AuthorizeRemoteTxRequests')) {
    const answer = await chargePoint.uplink.call(Authorize, { idTag }).catch(() => null);
    if (answer?.idTagInfo.status !== 'Accepted') return;
  }
  authorise(chargePoint, connector, idTag, { isInVain: !chargePoint.behaviour.startsAfterAccepting });
}

async function thinkAbout(chargePoint: ChargePoint): Promise<void> {
  const { behaviour, random } = chargePoint;
  await chargePoint.delay(random.between(...behaviour.commandDelayMs));
}

function afterwards(chargePoint: ChargePoint, run: () => void): void {
  chargePoint.after(AFTERWARDS_MS, run);
}
