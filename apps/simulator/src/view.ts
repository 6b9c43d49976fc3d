import type { OcppConnectorStatus } from '@fpay/ocpp/v16/status-notification';
import type { Connector } from './connector.ts';
import type { Device } from './device.ts';
import type { ScenarioName } from './scenario.ts';

/** The state of a charge point for the control page and tests. */
export interface ChargePointView {
  identity: string;
  station: string;
  address: string;
  scenario: ScenarioName;
  isConnected: boolean;
  isBooted: boolean;
  /** Transaction messages that wait for an answer. */
  queued: number;
  connectors: ConnectorView[];
}

interface ConnectorView {
  id: number;
  type: string;
  powerW: number;
  status: OcppConnectorStatus;
  meterWh: number;
  car: { model: string; batteryWh: number; soc: number } | null;
  transaction: { id: number | null; idTag: string; energyWh: number; powerW: number; startedAt: string } | null;
}

export function view(chargePoint: Device): ChargePointView {
  const { identity, station, address, scenario, uplink, queue, connectors } = chargePoint;
  return {
    identity,
    station,
    address,
    scenario,
    isConnected: uplink.isConnected,
    isBooted: uplink.isBooted,
    queued: queue.length,
    connectors: connectors.map(viewConnector),
  };
}

function viewConnector({ spec, status, meterWh, powerW, car, transaction }: Connector): ConnectorView {
  return {
    ...spec,
    status,
    meterWh: Math.round(meterWh),
    car: car === null ? null : { model: car.model, batteryWh: car.batteryWh, soc: Math.round(car.soc) },
    transaction:
      transaction === null
        ? null
        : {
            id: transaction.id,
            idTag: transaction.idTag,
            energyWh: Math.round(meterWh) - transaction.meterStartWh,
            powerW: Math.round(powerW),
            startedAt: new Date(transaction.startedAt).toISOString(),
          },
  };
}
