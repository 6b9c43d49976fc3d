import type { ConnectorType } from '@fpay/contract/connectors';

export interface DemoConnector {
  type: ConnectorType;
  powerW: number;
  /** False for a socket: the driver brings the cable. */
  hasCable: boolean;
}

const socket = (type: ConnectorType, kw: number): DemoConnector => ({ type, powerW: kw * 1000, hasCable: false });
const cable = (type: ConnectorType, kw: number): DemoConnector => ({ type, powerW: kw * 1000, hasCable: true });

/** Kinds of devices as they are common in Ukrainian cities. `share` is the percentage; a kind without one stands only at a special station. */
export const deviceKinds = {
  twoSockets: { share: 24, tariff: 'AC', connectors: [socket('type2', 22), socket('type2', 22)] },
  usual: { share: 26, tariff: 'DC', connectors: [cable('ccstype2', 60), cable('chademo', 50), socket('type2', 22)] },
  fast: { share: 14, tariff: 'DC+', connectors: [cable('ccstype2', 120), cable('ccstype2', 120)] },
  // Many cars in Ukraine come from China.
  chinese: { share: 14, tariff: 'DC', connectors: [cable('gbtdc', 60), cable('ccstype2', 60), cable('gbtac', 7)] },
  // Many cars come from America.
  american: { share: 8, tariff: 'DC', connectors: [cable('ccstype1', 50), cable('chademo', 50), cable('type1', 7)] },
  nacs: { share: 6, tariff: 'DC+', connectors: [cable('nacs', 150), cable('ccstype2', 150)] },
  nacsAndChinese: { share: 4, tariff: 'DC', connectors: [cable('ccstype2nacs', 120), cable('gbtdc', 90)] },
  doubleCcs: { share: 4, tariff: 'DC', connectors: [cable('ccstype1type2', 80), cable('chademo', 50)] },
} as const satisfies Record<string, { share: number; tariff: string; connectors: DemoConnector[] }>;

export type DeviceKind = { tariff: string; connectors: readonly DemoConnector[] };

/** The behaviour of a simulated device. Nearly all are normal; the demo has one or two of each other kind. */
export type DemoScenario =
  | 'normal'
  | 'slow'
  | 'rejects-start'
  | 'never-starts'
  | 'drops-socket'
  | 'reboots'
  | 'repeats'
  | 'odd-units'
  | 'no-soc'
  | 'meter-reset'
  | 'faulted'
  | 'clock-wrong'
  | 'unplugs-early'
  | 'offline';
