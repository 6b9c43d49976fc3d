import type { AttemptCause, attemptCauses } from '@fpay/contract/admin/network/attempts';
import type { ChargerOutcome, SentMessageItem } from '@fpay/contract/admin/user-now';
import type { TextKey } from '../../../../i18n/text-key.ts';
import type { Tone } from '../../../../ui/layout/badge.tsx';

/** Why a charge failed, in words for a caller. */
export const causeTexts = {
  bank_refused: 'adminUsers:causeBankRefused',
  bank_down: 'adminUsers:causeBankDown',
  no_power: 'adminUsers:causeNoPower',
  never_delivered: 'adminUsers:causeNeverDelivered',
  answer_lost: 'adminUsers:causeAnswerLost',
  refused: 'adminUsers:causeRefused',
  no_plug: 'adminUsers:causeNoPlug',
  no_start: 'adminUsers:causeNoStart',
  fault_before: 'adminUsers:causeFaultBefore',
  fault_during: 'adminUsers:causeFaultDuring',
  no_energy: 'adminUsers:causeNoEnergy',
  driver_gave_up: 'adminUsers:causeGaveUp',
  reset: 'adminUsers:causeReset',
  power_loss: 'adminUsers:causePowerLoss',
  emergency_stop: 'adminUsers:causeEmergencyStop',
  deauthorized: 'adminUsers:causeDeauthorized',
  stop_ignored: 'adminUsers:causeStopIgnored',
  lost_contact: 'adminUsers:causeLostContact',
  other: 'adminUsers:causeOther',
} as const satisfies Record<AttemptCause, TextKey>;

type Side = (typeof attemptCauses)[AttemptCause];

/** In whose hands it was. */
export const sideTexts = {
  payer: 'adminUsers:sidePayer',
  driver: 'adminUsers:sideDriver',
  car: 'adminUsers:sideCar',
  device: 'adminUsers:sideDevice',
  grid: 'adminUsers:sideGrid',
  network: 'adminUsers:sideNetwork',
} as const satisfies Record<Side, TextKey>;

/** Commands that drivers ask about; others are shown by their name in OCPP. */
export const commandTexts: Readonly<Record<string, TextKey>> = {
  RemoteStartTransaction: 'adminUsers:commandStart',
  RemoteStopTransaction: 'adminUsers:commandStop',
  Reset: 'adminUsers:commandReset',
  UnlockConnector: 'adminUsers:commandUnlock',
  SetChargingProfile: 'adminUsers:commandLimit',
};

export const outcomeTexts = {
  accepted: 'adminUsers:outcomeAccepted',
  refused: 'adminUsers:outcomeRefused',
  no_answer: 'adminUsers:outcomeNoAnswer',
  offline: 'adminUsers:outcomeOffline',
  waiting: 'adminUsers:outcomeWaiting',
} as const satisfies Record<ChargerOutcome, TextKey>;

export const outcomeTones = {
  accepted: 'free',
  refused: 'error',
  no_answer: 'error',
  offline: 'offline',
  waiting: 'occupied',
} as const satisfies Record<ChargerOutcome, Tone>;

export const channelTexts = {
  sms: 'adminUsers:channelSms',
  telegram: 'adminUsers:channelTelegram',
  push: 'adminUsers:channelPush',
} as const satisfies Record<SentMessageItem['channel'], TextKey>;

export const stateTexts = {
  queued: 'adminUsers:stateQueued',
  accepted: 'adminUsers:stateAccepted',
  sent: 'adminUsers:stateSent',
  failed: 'adminUsers:stateFailed',
  unknown: 'adminUsers:stateUnknown',
} as const satisfies Record<SentMessageItem['state'], TextKey>;
