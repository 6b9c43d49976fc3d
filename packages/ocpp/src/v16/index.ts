export { Authorize } from './authorize.ts';
export { BootNotification } from './boot-notification.ts';
export { ChangeAvailability } from './change-availability.ts';
export { ChangeConfiguration } from './change-configuration.ts';
export type { ChargingProfile } from './charging-profile.ts';
export { ClearCache } from './clear-cache.ts';
export { ClearChargingProfile } from './clear-charging-profile.ts';
export { DataTransfer } from './data-transfer.ts';
export { DiagnosticsStatusNotification } from './diagnostics-status-notification.ts';
export { FirmwareStatusNotification } from './firmware-status-notification.ts';
export { type ConfigurationKey, GetConfiguration } from './get-configuration.ts';
export { GetDiagnostics } from './get-diagnostics.ts';
export { Heartbeat } from './heartbeat.ts';
export { LogStatusNotification } from './log-status-notification.ts';
export type { MeterValue, SampledValue, WireMeterValue, WireSampledValue } from './meter-value.ts';
export { MeterValues } from './meter-values.ts';
export { RemoteStartTransaction } from './remote-start-transaction.ts';
export { RemoteStopTransaction } from './remote-stop-transaction.ts';
export { Reset } from './reset.ts';
export { SecurityEventNotification } from './security-event-notification.ts';
export { SetChargingProfile } from './set-charging-profile.ts';
export { StartTransaction } from './start-transaction.ts';
export {
  type OcppConnectorStatus as ConnectorStatus,
  type ReportedStatus,
  type StatusErrorCode,
  StatusNotification,
} from './status-notification.ts';
export { type StopReason, StopTransaction } from './stop-transaction.ts';
export { TriggerMessage } from './trigger-message.ts';
export { UnlockConnector } from './unlock-connector.ts';
export { UpdateFirmware } from './update-firmware.ts';
