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
import { GetDiagnostics } from '@fpay/ocpp/v16/get-diagnostics';
import { RemoteStartTransaction } from '@fpay/ocpp/v16/remote-start-transaction';
import { RemoteStopTransaction } from '@fpay/ocpp/v16/remote-stop-transaction';
import { Reset } from '@fpay/ocpp/v16/reset';
import { SetChargingProfile } from '@fpay/ocpp/v16/set-charging-profile';
import { TriggerMessage } from '@fpay/ocpp/v16/trigger-message';
import { UnlockConnector } from '@fpay/ocpp/v16/unlock-connector';
import { UpdateFirmware } from '@fpay/ocpp/v16/update-firmware';
import { clearProfiles } from './charging-limit.ts';
import type { Connector } from './connector.ts';
import type { Device } from './device.ts';
import { authorise } from './reader.ts';
import { end, sample } from './transactions.ts';

/** Delay between an answer and its effect, so that the answer is sent first. */
const EFFECT_DELAY_MS = 300;
/** Between two reports about a file. */
const FILE_PART_MS = 2_000;

/** All commands of a central system that the charge point supports; others are answered with NotImplemented. */
export const commandHandlers = handlers<Device>(
  on(RemoteStartTransaction, async ({ idTag, connectorId }, { context }) => {
    await delayAnswer(context);
    const connector = connectorFor(context, connectorId);
    if (!context.behaviour.acceptsRemoteStart || !context.uplink.isBooted || connector === null) return rejected;
    if (!connector.isUsable || connector.transaction !== null) return rejected;
    afterAnswer(context, () => void remoteStart(context, connector, idTag));
    return accepted;
  }),

  on(RemoteStopTransaction, async ({ transactionId }, { context }) => {
    await delayAnswer(context);
    const connector = context.connectors.find(({ transaction }) => transaction?.id === transactionId);
    if (connector === undefined) return rejected;
    afterAnswer(context, () => end(context, connector, 'Remote'));
    return accepted;
  }),

  on(Reset, async ({ type }, { context }) => {
    await delayAnswer(context);
    afterAnswer(context, () => (type === 'Hard' ? context.restart('HardReset') : void context.softReset()));
    return accepted;
  }),

  on(ChangeConfiguration, async ({ key, value }, { context }) => {
    await delayAnswer(context);
    const isTooOften = key === 'MeterValueSampleInterval' && Number(value) < context.behaviour.leastSampleSeconds;
    const status = isTooOften ? 'Rejected' : context.configuration.change(key, value);
    if (status === 'Accepted') context.applyConfiguration(key, value);
    return { status };
  }),

  on(GetConfiguration, async ({ key }, { context }) => {
    await delayAnswer(context);
    return context.configuration.read(key);
  }),

  on(TriggerMessage, async ({ requestedMessage, connectorId }, { context }) => {
    await delayAnswer(context);
    if (connectorId !== undefined && connectorId > 0 && connectorFor(context, connectorId) === null) return rejected;
    afterAnswer(context, () => void triggered[requestedMessage](context, connectorId).catch(() => {}));
    return accepted;
  }),

  on(UnlockConnector, async ({ connectorId }, { context }) => {
    await delayAnswer(context);
    const connector = connectorFor(context, connectorId);
    if (connector === null) return { status: 'NotSupported' };
    end(context, connector, 'UnlockCommand');
    return { status: 'Unlocked' };
  }),

  on(ChangeAvailability, async ({ connectorId, type }, { context }) => {
    await delayAnswer(context);
    const connectors = connectorId === 0 ? context.connectors : [connectorFor(context, connectorId)];
    const outcomes: string[] = [];
    for (const connector of connectors) {
      if (connector === null) return rejected;
      outcomes.push(context.setOperative(connector, type === 'Operative'));
    }
    return { status: outcomes.includes('Scheduled') ? 'Scheduled' : 'Accepted' };
  }),

  on(SetChargingProfile, async ({ connectorId, csChargingProfiles: profile }, { context }) => {
    await delayAnswer(context);
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
    await delayAnswer(context);
    const { kept, hasCleared } = clearProfiles(context.profiles, filter);
    context.profiles = kept;
    return { status: hasCleared ? 'Accepted' : 'Unknown' };
  }),

  on(GetDiagnostics, async (_request, { context }) => {
    await delayAnswer(context);
    afterAnswer(context, () => void reportUpload(context).catch(() => {}));
    return { fileName: `${context.identity}.log` };
  }),

  on(UpdateFirmware, async (_request, { context }) => {
    await delayAnswer(context);
    afterAnswer(context, () => void reportInstallation(context).catch(() => {}));
    return {};
  }),

  on(ClearCache, () => accepted),
  on(DataTransfer, () => ({ status: 'UnknownVendorId' })),
);

const accepted = { status: 'Accepted' } as const;
const rejected = { status: 'Rejected' } as const;

type Triggered = (chargePoint: Device, connectorId: number | undefined) => Promise<unknown>;

const triggered = {
  BootNotification: ({ uplink }) => uplink.boot(),
  Heartbeat: ({ uplink }) => uplink.heartbeat(),
  DiagnosticsStatusNotification: ({ uplink }) => uplink.call(DiagnosticsStatusNotification, { status: 'Idle' }),
  FirmwareStatusNotification: ({ uplink }) => uplink.call(FirmwareStatusNotification, { status: 'Idle' }),
  StatusNotification: async (chargePoint, connectorId) => {
    if (connectorId === undefined || connectorId === 0) chargePoint.reportOwnStatus();
    for (const connector of selectedConnectors(chargePoint, connectorId)) chargePoint.reportStatus(connector);
  },
  MeterValues: async (chargePoint, connectorId) => {
    for (const connector of selectedConnectors(chargePoint, connectorId)) sample(chargePoint, connector, 'Trigger');
  },
} satisfies Record<string, Triggered>;

/** Without a connector, all connectors are meant. */
function selectedConnectors({ connectors }: Device, connectorId: number | undefined): readonly Connector[] {
  return connectorId === undefined ? connectors : connectors.filter(({ spec }) => spec.id === connectorId);
}

/** Without an id, the connector is known only when there is just one. */
function connectorFor({ connectors }: Device, connectorId: number | undefined): Connector | null {
  if (connectorId === undefined) return connectors.length === 1 ? (connectors[0] ?? null) : null;
  return connectors.find(({ spec }) => spec.id === connectorId) ?? null;
}

async function remoteStart(chargePoint: Device, connector: Connector, idTag: string): Promise<void> {
  if (chargePoint.configuration.flag('AuthorizeRemoteTxRequests')) {
    const answer = await chargePoint.uplink.call(Authorize, { idTag }).catch(() => null);
    if (answer?.idTagInfo.status !== 'Accepted') return;
  }
  authorise(chargePoint, connector, idTag, { isInVain: !chargePoint.behaviour.startsAfterAccepting });
}

/** The file itself is not transferred: only the reports are played. */
async function reportUpload(chargePoint: Device): Promise<void> {
  for (const status of ['Uploading', 'Uploaded'] as const) {
    await chargePoint.uplink.call(DiagnosticsStatusNotification, { status });
    await chargePoint.delay(FILE_PART_MS);
  }
}

async function reportInstallation(chargePoint: Device): Promise<void> {
  for (const status of ['Downloading', 'Downloaded', 'Installing', 'Installed'] as const) {
    await chargePoint.uplink.call(FirmwareStatusNotification, { status });
    await chargePoint.delay(FILE_PART_MS);
  }
}

async function delayAnswer(chargePoint: Device): Promise<void> {
  const { behaviour, random } = chargePoint;
  await chargePoint.delay(random.between(...behaviour.commandDelayMs));
}

function afterAnswer(chargePoint: Device, run: () => void): void {
  chargePoint.after(EFFECT_DELAY_MS, run);
}
