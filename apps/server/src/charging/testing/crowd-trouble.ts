/** What a driver intends to do. `limit`: stays until the deposit is used up. `leave`: never pays on the bank's page. */
export type DriverPlan = 'limit' | 'stop' | 'unplug' | 'cancel' | 'decline' | 'leave';

/**
 * The source of the trouble. `PROOF_WITHOUT='bank,two staff'` leaves out groups and kinds, to examine one thing.
 */
type Group = 'bank' | 'staff' | 'forgetful';

/** When, during a charge: the deposit is secured, power flows, the operation has ended. */
export type Moment = 'paid' | 'charging' | 'over';

/** Requirements for the driver, so that the trouble has an effect. */
export interface Wish {
  method?: 'card' | 'balance';
  plans?: readonly [DriverPlan, ...DriverPlan[]];
  /** UAH, least and most. */
  deposits?: readonly [number, number];
}

/** An action on a charge from outside, and its result. */
export interface Act {
  name: string;
  /** Kopecks. */
  amount: number;
  isDone: boolean;
  /** Null when everything is right. */
  fault: string | null;
}

export interface Trouble {
  group: Group;
  moments: readonly [Moment, ...Moment[]];
  wish: Wish;
  /** The operator may lose money by it, because the total, or a part, can no longer be captured. */
  mayLose: boolean;
  /** The charge may end before it delivered anything. */
  mayCancel: boolean;
  /** The longest delay after the moment, in the stack's milliseconds. */
  withinMs?: number;
}

const card = { method: 'card' } as const;
const harmless = { mayLose: false, mayCancel: false } as const;
/** Reached before a charge point with factory settings sends its first reading. */
const small = { plans: ['limit'], deposits: [4, 6] } as const satisfies Wish;

/** Everything that is done to a charge by others than its driver and its charge point. */
export const troubles = {
  'bank captures a part': { group: 'bank', moments: ['charging'], wish: card, mayLose: true, mayCancel: false },
  'bank captures all': { group: 'bank', moments: ['paid', 'charging'], wish: card, ...harmless },
  'bank captures early': { group: 'bank', moments: ['paid'], wish: card, mayLose: true, mayCancel: false },
  'bank captures, driver cancels': {
    group: 'bank',
    moments: ['paid'],
    wish: { ...card, plans: ['cancel'] },
    mayLose: true,
    mayCancel: true,
    withinMs: 3_000,
  },
  'bank captures and returns': { group: 'bank', moments: ['charging'], wish: card, mayLose: true, mayCancel: false },
  'bank cancels the hold': { group: 'bank', moments: ['charging'], wish: card, mayLose: true, mayCancel: false },
  'bank returns later': { group: 'bank', moments: ['over'], wish: card, ...harmless },
  'staff stop': { group: 'staff', moments: ['paid', 'charging'], wish: {}, mayLose: false, mayCancel: true },
  'staff finalize': { group: 'staff', moments: ['paid', 'charging'], wish: card, ...harmless },
  'staff cancel the hold': { group: 'staff', moments: ['charging'], wish: card, mayLose: true, mayCancel: false },
  'staff return later': { group: 'staff', moments: ['over'], wish: card, ...harmless },
  'two staff': {
    group: 'staff',
    moments: ['paid', 'charging', 'over'],
    wish: {},
    mayLose: true,
    mayCancel: true,
  },
  'staff give': { group: 'staff', moments: ['charging'], wish: { method: 'balance' }, ...harmless },
  'staff take': { group: 'staff', moments: ['charging'], wish: { method: 'balance' }, ...harmless },
  'forgets at boot': { group: 'forgetful', moments: ['paid'], wish: small, ...harmless },
  'forgets midway': { group: 'forgetful', moments: ['charging'], wish: small, ...harmless, withinMs: 2_000 },
} as const satisfies Record<string, Trouble>;

export type TroubleName = keyof typeof troubles;

const without = (process.env.PROOF_WITHOUT ?? '').split(',');

/** The kinds that are switched on, in turn. */
export const troubleNames = (Object.keys(troubles) as TroubleName[]).filter(
  (name) => !without.includes(troubles[name].group) && !without.includes(name),
);
/** Two staff members do what they like, so what becomes of such a charge is theirs to decide. */
export const isDecidedByStaff = (trouble: TroubleName | null) => trouble === 'two staff';
