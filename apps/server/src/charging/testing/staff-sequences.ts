import { type OperationStatus, operationStatuses } from '@fpay/contract/charging';
import { createRandom, type Random } from '@fpay/simulator/src/random.ts';
import { actsOnPayment, type PaidBy, staffActions } from './staff-actions.ts';

/** What becomes known after the last action. */
export const laterFacts = ['nothing', 'payment at the bank', 'reading', 'StopTransaction', 'watchdog'] as const;
export type LaterFact = (typeof laterFacts)[number];

/**
 * How far the bank is between two actions: it was not asked yet, it was asked and still works, or it has answered. The sign stands
 * between the names of the actions.
 */
const betweens = { unasked: ' + ', asked: ' ~ ', answered: ' > ' } as const;
export type Between = keyof typeof betweens;
const betweenNames = Object.keys(betweens) as [Between, ...Between[]];
export const anyBetween = (random: Random): Between => random.pick(betweenNames);

/** Actions of staff on one charge, one after the other, and the fact that comes afterwards. */
export interface StaffSequence {
  status: OperationStatus;
  paidBy: PaidBy;
  actions: readonly string[];
  between: Between;
  fact: LaterFact;
}

interface Start {
  status: OperationStatus;
  paidBy: PaidBy;
}

const waysToPay: readonly PaidBy[] = ['card', 'balance', 'free'];
/** A deposit from the balance is there at once and settled at once, so no state waits for it. */
const cardOnly: readonly OperationStatus[] = ['created', 'failed_hold', 'pending_final_payment'];
/** The states in which a page of the bank was not paid. */
const unpaid: readonly OperationStatus[] = ['created', 'failed_hold'];
const fewest = 2;
const most = 5;

/** The states of a charge, with the ways to pay that lead to them. */
const starts: readonly Start[] = operationStatuses.flatMap((status) =>
  waysToPay.filter((paidBy) => paidBy === 'card' || !cardOnly.includes(status)).map((paidBy) => ({ status, paidBy })),
);

/** A free charge has no payment, so actions on payments do not find one. */
const actionsFor = ({ paidBy }: Start): string[] =>
  Object.keys(staffActions).filter((name) => paidBy !== 'free' || !actsOnPayment(name));

/** Only a page that was not paid can still be paid. */
const factsFor = ({ status, paidBy }: Start): LaterFact[] =>
  laterFacts.filter((fact) => fact !== 'payment at the bank' || (paidBy === 'card' && unpaid.includes(status)));

/** Every ordered pair of actions in every state, followed by every fact that can come there. */
export function allPairs(): Omit<StaffSequence, 'between'>[] {
  return starts.flatMap((start) => {
    const actions = actionsFor(start);
    const pairs = actions.flatMap((first) => actions.map((second) => [first, second] as const));
    return pairs.flatMap((pair) => factsFor(start).map((fact) => ({ ...start, actions: pair, fact })));
  });
}

type Filled<T> = readonly [T, ...T[]];

/** The same seed gives the same sequences of two to five actions. */
export function randomSequences(seed: string, count: number): StaffSequence[] {
  const random = createRandom(seed);
  return Array.from({ length: count }, () => {
    const start = random.pick(starts as Filled<Start>);
    const length = Math.floor(random.between(fewest, most + 1));
    const actions = Array.from({ length }, () => random.pick(actionsFor(start) as unknown as Filled<string>));
    const fact = random.pick(factsFor(start) as unknown as Filled<LaterFact>);
    return { ...start, actions, between: anyBetween(random), fact };
  });
}

/** One line, for a list of failures and for repeating it: `ongoing by card: soft stop + cancel hold; StopTransaction`. */
export function sequenceText({ status, paidBy, actions, between, fact }: StaffSequence): string {
  return `${status} by ${paidBy}: ${actions.join(betweens[between])}; ${fact}`;
}

export function readSequence(text: string): StaffSequence {
  const parts = /^(\w+) by (card|balance|free): (.+); ([^;]+)$/.exec(text);
  const [, status, paidBy, list = '', fact] = parts ?? [];
  const between = betweenNames.find((name) => list.includes(betweens[name])) ?? 'unasked';
  const actions = list.split(betweens[between]);
  const unknown = actions.filter((name) => !Object.hasOwn(staffActions, name));
  if (!starts.some((start) => start.status === status && start.paidBy === paidBy)) throw new Error(`no state: ${text}`);
  if (unknown.length > 0) throw new Error(`no action of staff: ${unknown.join(', ')}`);
  if (!laterFacts.includes(fact as LaterFact)) throw new Error(`no fact: ${text}`);
  return { status, paidBy, actions, between, fact } as StaffSequence;
}
