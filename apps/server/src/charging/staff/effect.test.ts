import { operationStatuses } from '@fpay/contract/charging';
import { kopecks, wattHours } from '@fpay/contract/money';
import { expect, test } from 'vitest';
import { type OperationOrder, operationEffect } from './actions.ts';
import type { Subject } from './effect.ts';

/** Every action in every state, as a table: the new status, or the refusal in brackets. */
const orders: Record<string, OperationOrder> = {
  start: { action: 'soft_start' },
  stop: { action: 'soft_stop' },
  cancel: { action: 'soft_cancel' },
  finish: { action: 'finish' },
  energy: { action: 'force_energy', energy: wattHours(50), update_total: true },
  toCanceled: { action: 'force_status', status: 'canceled' },
  toFinished: { action: 'force_status', status: 'finished' },
  toOngoing: { action: 'force_status', status: 'ongoing' },
};

const heldStates = ['pending', 'starting', 'ongoing', 'finishing', 'pending_final_payment'];

function subjectOf(status: (typeof operationStatuses)[number]): Subject {
  const hasEnergy = ['ongoing', 'finishing', 'finished', 'pending_final_payment'].includes(status);
  const energy = wattHours(hasEnergy ? 100 : 0);
  const state =
    status === 'created'
      ? 'created'
      : heldStates.includes(status)
        ? 'hold'
        : status === 'finished'
          ? 'success'
          : 'reversed';
  return {
    operation: {
      status,
      energy,
      total: kopecks(hasEnergy ? 1_50 : 0),
      price: kopecks(15_00),
      deposit: kopecks(150_00),
      paymentType: 'bank',
      idleTotal: kopecks(0),
    },
    settled: energy,
    payment: {
      state,
      method: 'bank',
      amount: kopecks(150_00),
      captured: kopecks(state === 'success' ? 1_50 : 0),
      refunded: kopecks(0),
      wanted: null,
    },
    earned: kopecks(state === 'success' ? 1_50 : 0),
    isConnectorTaken: false,
  };
}

test('each action in each state: where it leads, and what it does to the money [MACH-16]', () => {
  const table = operationStatuses.map((status) => {
    const cells = Object.values(orders).map((order) => {
      const { refusal, operation, total, money } = operationEffect(subjectOf(status), order);
      if (refusal) return `(${refusal})`;
      const sums = money.map(({ kind, amount }) => `${kind} ${amount}`).join(', ');
      return `${operation?.to ?? (total ? `total ${total.to}` : 'same')}${sums ? `: ${sums}` : ''}`;
    });
    return [status, ...cells].join(' | ');
  });
  expect(`${['status', ...Object.keys(orders)].join(' | ')}\n${table.join('\n')}`).toMatchInlineSnapshot(`
    "status | start | stop | cancel | finish | energy | toCanceled | toFinished | toOngoing
    created | (action_not_applicable) | canceled | canceled | (action_not_applicable) | (action_not_applicable) | canceled | finished | ongoing
    pending | starting | canceled: release 15000 | canceled: release 15000 | (action_not_applicable) | (action_not_applicable) | canceled: release 15000 | finished: release 15000 | ongoing
    starting | same | canceled: release 15000 | canceled: release 15000 | (action_not_applicable) | (action_not_applicable) | canceled: release 15000 | finished: release 15000 | ongoing
    ongoing | (action_not_applicable) | finishing | (action_not_applicable) | pending_final_payment: capture 150, release 14850 | total 75 | canceled: release 15000 | finished: capture 150, release 14850 | (action_not_applicable)
    finishing | (action_not_applicable) | (action_not_applicable) | (action_not_applicable) | pending_final_payment: capture 150, release 14850 | total 75 | canceled: release 15000 | finished: capture 150, release 14850 | ongoing
    finished | (action_not_applicable) | (action_not_applicable) | (action_not_applicable) | (action_not_applicable) | total 75: refund 75 | canceled: refund 150 | (action_not_applicable) | (payment_final)
    pending_final_payment | (action_not_applicable) | (action_not_applicable) | (action_not_applicable) | (action_not_applicable) | total 75: capture 75 | canceled: release 15000 | finished: capture 150, release 14850 | ongoing
    canceled | (action_not_applicable) | (action_not_applicable) | (action_not_applicable) | (action_not_applicable) | (action_not_applicable) | (action_not_applicable) | finished | (payment_final)
    failed | (action_not_applicable) | (action_not_applicable) | (action_not_applicable) | (action_not_applicable) | (action_not_applicable) | canceled | finished | (payment_final)
    failed_hold | (action_not_applicable) | (action_not_applicable) | (action_not_applicable) | (action_not_applicable) | (action_not_applicable) | canceled | finished | (payment_final)"
  `);
});

test('a connector that is taken, or a payment that is final, keeps an ended operation closed', () => {
  const order: OperationOrder = { action: 'force_status', status: 'ongoing' };
  const free = { ...subjectOf('canceled'), payment: null };
  expect(operationEffect(free, order).is_allowed).toBe(true);
  expect(operationEffect({ ...free, isConnectorTaken: true }, order).refusal).toBe('connector_taken');
  expect(operationEffect(subjectOf('canceled'), order).refusal).toBe('payment_final');
});
