import { type OperationAction, operationActions } from '@fpay/contract/admin/operation-actions';
import { finalStatuses, isAmong, type OperationStatus, unbilledStatuses } from '@fpay/contract/charging';
import { type PaidBy, triedAs } from './staff-actions.ts';
import type { StaffState } from './staff-subjects.ts';

/** A charge right before an action of staff and right after it, when the bank has not answered yet. */
export interface ActionSeen {
  before: StaffState;
  after: StaffState;
  paidBy: PaidBy;
  /** What the bank had captured before: every action of money reads it first, and the books learn it then. */
  atBank: number;
}

/** What an action may never do, as a sentence of docs/staff-actions.md and as a check of every run. */
export interface Bound {
  never: string;
  isBroken(seen: ActionSeen): boolean;
}

type Column = keyof StaffState;

const changed = ({ before, after }: ActionSeen, ...columns: Column[]) =>
  columns.some((column) => JSON.stringify(before[column]) !== JSON.stringify(after[column]));
const notBegun: readonly OperationStatus[] = ['created', 'pending', 'starting'];
const flowing: readonly OperationStatus[] = ['ongoing', 'finishing'];

const asksForCapture = ({ before, after }: ActionSeen) => before.wanted !== 'capture' && after.wanted === 'capture';
const asksBank = ({ before, after }: ActionSeen) => after.wanted !== null && before.wanted !== after.wanted;
const takesMore = ({ before, after, atBank }: ActionSeen) =>
  (after.captured ?? 0) > Math.max(before.captured ?? 0, atBank);

const capturesMoney: Bound = {
  never: 'captures money',
  isBroken: (seen) => takesMore(seen) || asksForCapture(seen),
};
const movesMoney: Bound = {
  never: 'moves money',
  isBroken: (seen) => changed(seen, 'captured', 'refunded', 'balance', 'transfers', 'refunds') || asksBank(seen),
};
const changesBill: Bound = {
  never: 'changes the energy or the total',
  isBroken: (seen) => changed(seen, 'energy', 'total'),
};
const changesCharge: Bound = {
  never: 'changes the status, the energy or the total of the charge',
  isBroken: (seen) => changed(seen, 'status', 'energy', 'total'),
};
const changesPayment: Bound = {
  never: 'changes the payment of the charge',
  isBroken: (seen) => changed(seen, 'payment', 'wanted', 'captured', 'refunded', 'payment_lost', 'refunds'),
};
const touchesBalance: Bound = {
  never: 'touches the balance of the driver',
  isBroken: (seen) => changed(seen, 'balance'),
};
const endsDelivered: Bound = {
  never: 'ends a charge that has delivered energy',
  isBroken: ({ before, after }) => before.energy > 0 && before.status !== after.status,
};
const endsPower: Bound = {
  never: 'ends a charge while power flows: the station does',
  isBroken: ({ before, after }) => isAmong(flowing, before.status) && !isAmong(flowing, after.status),
};
const actsBeforeStart: Bound = {
  never: 'changes a charge that has not begun',
  isBroken: ({ before, after }) => isAmong(notBegun, before.status) && JSON.stringify(before) !== JSON.stringify(after),
};
const takesAfterSettlement: Bound = {
  never: 'takes more from a card that has been captured: what is missing is a loss',
  isBroken: (seen) => seen.paidBy === 'card' && (seen.before.captured ?? 0) > 0 && takesMore(seen),
};
const takesWhileOpen: Bound = {
  never: 'acts while the charge is open, except at the final payment',
  isBroken: ({ before, after }) =>
    isAmong([...notBegun, ...flowing], before.status) && JSON.stringify(before) !== JSON.stringify(after),
};
const changesTotal: Bound = { never: 'changes the total', isBroken: (seen) => changed(seen, 'total') };
const reopensSettled: Bound = {
  never: 'lets a charge go on whose money is captured',
  isBroken: ({ before, after }) =>
    isAmong(finalStatuses, before.status) && !isAmong(finalStatuses, after.status) && (before.captured ?? 0) > 0,
};
const movesDriversMoney: Bound = {
  never: 'moves money of the driver or at the bank',
  isBroken: (seen) => changed(seen, 'captured', 'refunded', 'balance', 'refunds') || asksForCapture(seen),
};
const touchesBalanceOfCard: Bound = {
  never: 'touches the balance of a driver who paid by card',
  isBroken: (seen) => seen.paidBy === 'card' && changed(seen, 'balance'),
};

/** Whatever staff do to a charge. */
export const boundsOfAll: readonly Bound[] = [
  {
    never: 'takes more than the deposit',
    isBroken: ({ after }) => (after.captured ?? 0) > after.deposit,
  },
  {
    never: 'returns more than was taken',
    isBroken: ({ after }) => (after.refunded ?? 0) > (after.captured ?? 0),
  },
  { never: 'leaves a balance below zero', isBroken: ({ after }) => after.balance < 0 },
];

const bounds: Record<OperationAction, readonly Bound[]> = {
  soft_start: [movesMoney, changesBill],
  soft_stop: [capturesMoney, changesBill, endsPower],
  soft_cancel: [capturesMoney, endsDelivered],
  finish: [actsBeforeStart, takesAfterSettlement],
  force_status: [takesAfterSettlement],
  force_energy: [actsBeforeStart, takesAfterSettlement],
  force_hold: [movesDriversMoney, changesBill],
  cancel_hold: [capturesMoney, changesBill],
  finalize: [takesWhileOpen, touchesBalanceOfCard, changesBill],
  cancel_payment: [capturesMoney, changesCharge, touchesBalance],
  reset: [movesMoney, changesCharge, changesPayment],
  remote_stop: [movesMoney, changesCharge, changesPayment],
};

/** What only one of the names of an action has, and the calls that act on the balance. */
const boundsOfName: Record<string, readonly Bound[]> = {
  ...Object.fromEntries(unbilledStatuses.map((status) => [`force status ${status}`, [capturesMoney]])),
  ...Object.fromEntries(
    [...notBegun, ...flowing].map((status) => [`force status ${status}`, [movesMoney, reopensSettled]]),
  ),
  'force energy of 60 Wh': [movesMoney, changesTotal],
  'cancel transaction with return': [capturesMoney, changesCharge],
  'cancel transaction with partial return': [capturesMoney, changesCharge],
  'give money': [changesCharge, changesPayment],
  'take money': [changesCharge, changesPayment],
};

/** What the action with this name may never do. */
export function boundsOf(name: string): readonly Bound[] {
  const own = boundsOfName[name];
  const action = operationActions.find((one) => triedAs(one).includes(name));
  if (action === 'force_status') return own ?? bounds.force_status;
  return [...(action ? bounds[action] : []), ...(own ?? [])];
}

/** The bounds that an action has broken. */
export const brokenBounds = (name: string, seen: ActionSeen): string[] =>
  [...boundsOf(name), ...boundsOfAll].filter((bound) => bound.isBroken(seen)).map(({ never }) => never);
