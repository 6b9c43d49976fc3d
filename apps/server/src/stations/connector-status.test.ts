import { connectorStatuses } from '@fpay/contract/connectors';
import { ConnectorState } from '@fpay/contract/stations';
import { describe, expect, it } from 'vitest';
import { isStationOnline, offlineAfter } from './connection.ts';
import { type ConnectorFacts, connectorStatus } from './connector-status.ts';

const idle: ConnectorFacts = {
  ocppStatus: 'Available',
  chargePointStatus: null,
  isChargePointOnline: true,
  isInTransaction: false,
  isUnderMaintenance: false,
  operationStatus: null,
};
const words = [
  'Available',
  'Preparing',
  'Charging',
  'SuspendedEV',
  'SuspendedEVSE',
  'Finishing',
  'Reserved',
  'Unavailable',
  'Faulted',
];

describe('connector status', () => {
  it('is one of six values, and unknown until the device has sent one [CONN-01]', () => {
    expect(connectorStatuses).toEqual(['charging', 'free', 'occupied', 'oos', 'ready', 'unknown']);
    expect(connectorStatus({ ...idle, ocppStatus: null })).toBe('unknown');
    expect(connectorStatus({ ...idle, ocppStatus: 'Sleeping' })).toBe('unknown');
    expect(connectorStatus({ ...idle, ocppStatus: 'toString' })).toBe('unknown');
    const state = { id: 1, api_address: '1', charging_station_id: 1, progress: null, time_left: null };
    expect(ConnectorState.safeParse({ ...state, status: 'asleep' }).success).toBe(false);
  });

  it.each([
    ['Available', false, 'free'],
    ['Preparing', false, 'ready'],
    ['Charging', false, 'charging'],
    ['Charging', true, 'charging'],
    // Some chargers send this instead of Preparing: the cable is in, and a charge can be started.
    ['SuspendedEV', false, 'ready'],
    ['SuspendedEVSE', false, 'ready'],
    ['SuspendedEV', true, 'charging'],
    ['SuspendedEVSE', true, 'charging'],
  ] as const)('reads %s (in a transaction: %s) as %s [CONN-23]', (ocppStatus, isInTransaction, expected) => {
    expect(connectorStatus({ ...idle, ocppStatus, isInTransaction })).toBe(expected);
  });

  it.each([
    ['Finishing', 'occupied'],
    ['Reserved', 'occupied'],
    ['Unavailable', 'oos'],
    ['Faulted', 'oos'],
  ] as const)('reads %s outside a transaction as %s [CONN-24]', (ocppStatus, expected) => {
    expect(connectorStatus({ ...idle, ocppStatus })).toBe(expected);
  });

  it('is out of service during announced work, but a running charge goes on', () => {
    const atWork = { ...idle, isUnderMaintenance: true };
    expect(connectorStatus(atWork)).toBe('oos');
    expect(connectorStatus({ ...atWork, ocppStatus: 'Preparing' })).toBe('oos');
    const charging = { ...atWork, ocppStatus: 'Charging', isInTransaction: true, operationStatus: 'ongoing' };
    expect(connectorStatus(charging)).toBe('charging');
    expect(connectorStatus({ ...atWork, isChargePointOnline: false })).toBe('unknown');
  });

  it('is occupied from the payment until power flows, whatever the device reports meanwhile', () => {
    for (const operationStatus of ['created', 'pending', 'starting']) {
      const seen = ['Available', 'Preparing', 'Charging'].map((ocppStatus) =>
        connectorStatus({ ...idle, ocppStatus, operationStatus }),
      );
      expect(seen).toEqual(['occupied', 'occupied', 'occupied']);
    }
  });

  it('is never free or ready while its operation is open, even if a status overtakes the transaction', () => {
    for (const operationStatus of ['ongoing', 'finishing']) {
      expect(connectorStatus({ ...idle, ocppStatus: 'Available', operationStatus })).toBe('occupied');
      expect(connectorStatus({ ...idle, ocppStatus: 'Preparing', operationStatus })).toBe('occupied');
      expect(connectorStatus({ ...idle, ocppStatus: 'Charging', operationStatus })).toBe('charging');
    }
  });

  it('is out of service when the whole device is, but a running charge goes on', () => {
    for (const chargePointStatus of ['Unavailable', 'Faulted']) {
      expect(connectorStatus({ ...idle, chargePointStatus })).toBe('oos');
      expect(connectorStatus({ ...idle, chargePointStatus, ocppStatus: 'Charging', operationStatus: 'ongoing' })).toBe(
        'charging',
      );
    }
    expect(connectorStatus({ ...idle, chargePointStatus: 'Available' })).toBe('free');
  });
});

describe('a silent charge point', () => {
  it('is offline after three missed pings; its connectors are unknown, its station lives while another device does [CONN-25]', () => {
    expect(offlineAfter(30_000)).toBe(90_000);
    for (const ocppStatus of words) {
      const dead = { ...idle, ocppStatus, isChargePointOnline: false, operationStatus: 'ongoing' };
      expect(connectorStatus(dead)).toBe('unknown');
    }
    expect(isStationOnline([{ isChargePointOnline: false }, { isChargePointOnline: true }])).toBe(true);
    expect(isStationOnline([{ isChargePointOnline: false }])).toBe(false);
    expect(isStationOnline([])).toBe(false);
  });
});
