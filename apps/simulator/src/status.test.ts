import { describe, expect, it } from 'vitest';
import { type ConnectorFacts, statusOf } from './status.ts';

const idle: ConnectorFacts = {
  isFaulted: false,
  isOperative: true,
  isPlugged: false,
  isAuthorised: false,
  inTransaction: false,
  isUnplugPending: false,
  isHeldBack: false,
  isCarIdle: false,
};

describe('a connector', () => {
  const cases: [status: string, when: string, facts: Partial<ConnectorFacts>][] = [
    ['Available', 'nothing is going on', {}],
    ['Preparing', 'a car is plugged in', { isPlugged: true }],
    ['Preparing', 'somebody may charge', { isAuthorised: true }],
    ['Charging', 'a transaction runs', { isPlugged: true, inTransaction: true }],
    ['SuspendedEV', 'the car takes nothing', { isPlugged: true, inTransaction: true, isCarIdle: true }],
    ['SuspendedEVSE', 'both hold back', { isPlugged: true, inTransaction: true, isCarIdle: true, isHeldBack: true }],
    ['Finishing', 'the transaction is over and the cable still in', { isPlugged: true, isUnplugPending: true }],
    [
      'Preparing',
      'the next one may charge with the same cable',
      { isPlugged: true, isUnplugPending: true, isAuthorised: true },
    ],
    ['Unavailable', 'it is out of service', { isOperative: false, isPlugged: true }],
    ['Charging', 'it goes out of service after this charge', { isOperative: false, inTransaction: true }],
    ['Faulted', 'it is broken, whatever else', { isFaulted: true, inTransaction: true, isOperative: false }],
  ];
  it.each(cases)('is %s when %s', (status, _, facts) => {
    expect(statusOf({ ...idle, ...facts })).toBe(status);
  });
});
