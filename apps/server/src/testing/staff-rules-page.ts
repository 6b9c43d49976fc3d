import type { ApprovalKind } from '@fpay/contract/admin/approvals';
import { waitingCalls } from '@fpay/contract/admin/waiting-calls';
import { type Endpoint, isAboutMoney } from '@fpay/contract/endpoint';
import { endpoints } from '@fpay/contract/endpoints';
import { can, type Permission, permissions, type Role } from '@fpay/contract/roles';
import type { MoneyOwner } from '@fpay/contract/staff-money';
import type { Tie } from '../backoffice/own-money/own-money.ts';
import type { WayOut } from '../wallet/staff-limits.ts';

/** What the page needs of a running product. */
interface Facts {
  /** Kopecks, the default. */
  limit: number;
  /** The kinds of approvals that a role may decide. */
  kindsOf: (role: Role) => readonly string[];
}

const staffRoles = ['Analytic', 'Support', 'Operator', 'Admin', 'SuperAdmin'] as const satisfies Role[];

const waysOut: Record<WayOut | 'reward', readonly [way: string, counts: string]> = {
  gift: ['gift of staff to a user', 'the sum'],
  reversal: [
    'reversal of a balance transaction',
    'what goes to a user or to a card; what goes back to the network counts nothing',
  ],
  refund: ['refund of a card payment', 'the sum'],
  capture: ['capture below the total, or lowered after it', 'the difference'],
  hold: [
    'hold that is released or forced to another status; payment that is forced to be paid',
    'what the charge owes; while it is open the whole deposit; of a forced payment its sum',
  ],
  energy: ['energy correction that lowers the total', 'the difference'],
  end: [
    'forced end without a bill; charge that is forced to go on unpaid',
    'what the delivered energy costs, after the settlement what is returned; of an unpaid charge its deposit',
  ],
  reward: [
    'reward of a running promotion',
    'for the recipient only; one above the limit is paid, because it was promised',
  ],
};

const ties: Record<Tie['kind'], string> = {
  account: 'they are one account, or one is a guest who joined the other; only then have they one wallet at the bank',
  wallet: 'they pay from one wallet, or one owns it',
  party: 'they own, belong or belonged to one party',
  telegram: 'they have or had one Telegram',
  phone: 'they have or had one phone number',
  card: 'they paid with, or saved, cards with the same visible digits. This alone is only a sign: the action waits for a second person',
};

const waits: Record<ApprovalKind, string> = {
  increase: 'a gift above the limit',
  decrease: 'money taken from a user, one sum above the limit',
  reversal: 'a reversal above the limit',
  'operation-action': 'an action on a charge that gives away more than the limit',
  'payment-action': 'an action on a payment that gives away more than the limit',
  promotion:
    'a promotion that can give more than the limit in one charge, or has no budget per day; again when its terms change',
  tariff:
    'a change of a tariff by which an hour that was paid for becomes free, also by a discount of 100 % or on a later day, or the largest charge (500 kWh) costs less by more than the limit; several changes within 24 hours are one',
};

const owners: Record<MoneyOwner, string> = {
  operation: 'of the operation',
  payment: 'of the payment',
  user: 'of the user',
  typed_user: 'of the user who is typed',
  transaction: 'of the transaction',
  party: 'of the party',
  approval: 'of what waits',
  anomaly: 'of the payment in question',
  card_lines: 'of the users behind the cards',
};

const code = (text: string) => `\`${text}\``;
const cell = (text: string) => text.replaceAll('|', '\\|');
const mark = (isHeld: boolean) => (isHeld ? '✓' : '');

function moneyOf(call: Endpoint): string {
  if (call.method === 'GET' || call.money === null) return '–';
  if (!isAboutMoney(call.money)) return call.money.none;
  const whose = [...new Set(call.money.map(({ of }) => owners[of]))].join(', ');
  return waitingCalls.includes(call) ? `${whose}; can wait` : whose;
}

const isStaffCall = ({ access }: Endpoint) =>
  typeof access !== 'string' && access.some((permission) => !can('User', permission));
const mayCall = (role: Role, { access }: Endpoint) =>
  typeof access !== 'string' && access.every((permission) => can(role, permission));

function callTable(calls: readonly Endpoint[]): string[] {
  return [
    `| call | does | ${staffRoles.join(' | ')} | money |`,
    `|---|---|${staffRoles.map(() => ':-:|').join('')}---|`,
    ...calls
      .toSorted((one, other) => one.path.localeCompare(other.path) || one.method.localeCompare(other.method))
      .map((call) => {
        const marks = staffRoles.map((role) => mark(mayCall(role, call))).join(' | ');
        return `| ${code(`${call.method} ${call.path}`)} | ${cell(call.summary)} | ${marks} | ${moneyOf(call)} |`;
      }),
    '',
  ];
}

const staffPermissions = permissions.filter((permission: Permission) => !can('User', permission));

const permissionTable = (): string[] => [
  `| permission | ${staffRoles.join(' | ')} |`,
  `|---|${staffRoles.map(() => ':-:|').join('')}`,
  ...staffPermissions.map(
    (permission) => `| ${code(permission)} | ${staffRoles.map((role) => mark(can(role, permission))).join(' | ')} |`,
  ),
];

const limitTable = (): string[] => [
  '| way out | counts |',
  '|---|---|',
  ...Object.values(waysOut).map(([way, counts]) => `| ${way} | ${counts} |`),
];

const approverTable = (kindsOf: Facts['kindsOf']): string[] => [
  '| waits | when | who may approve |',
  '|---|---|---|',
  ...Object.entries(waits).map(([kind, when]) => {
    const roles = staffRoles.filter((role) => kindsOf(role).includes(kind)).join(', ');
    return `| ${code(kind)} | ${when} | ${roles} |`;
  }),
];

/** A list whose last item ends the sentence. */
const asSentence = (items: readonly string[]): string[] =>
  items.map((item, index) => `- ${item}${index === items.length - 1 ? '.' : ';'}`);

/** docs/staff-rules.md: what staff may do, with which money, and who must agree. Its tables come from the code. */
export function staffRulesPage({ limit, kindsOf }: Facts): string {
  const calls = endpoints.filter(isStaffCall);
  const isChange = ({ method, onlyReads }: Endpoint) => method !== 'GET' && !onlyReads;
  return [
    '# Rules for staff',
    '',
    'For auditors and operators: what each role may do, how much one person may give away, whose money nobody may decide about, and where it is recorded. The tables are made from the code by `apps/server/src/checks/staff-rules.test.ts`, which fails when this page and the code differ; run it with `-u` to write the page again.',
    '',
    '## Roles',
    '',
    'A call is answered when the role has all permissions that the contract names for it; the server decides, and the page draws only what would be answered. [The last section](#calls) has every call.',
    '',
    ...permissionTable(),
    '',
    '## Limits',
    '',
    `\`STAFF_MONEY_LIMIT\` (${(limit / 100).toLocaleString('en')} UAH unless set) is what one staff member may give away in 24 hours, and what one recipient may get in 24 hours from all of them, without a second staff member. A recipient is a user, and everybody who pays from the same wallet.`,
    '',
    ...limitTable(),
    '',
    'Actions of one staff member, and those for one recipient, are counted one after another, so that actions at the same moment do not pass the limit together. A reward that passed the limit of its recipient is listed under *rewards above the limit* on the money page.',
    '',
    '## Approvals',
    '',
    'What is above the limit does not happen at once. It waits as a request ([decision 49](decisions/0049-approvals.md)):',
    '',
    '- Somebody with the permission of the same action approves or declines it. It is never the one who asked, and never somebody who profits.',
    '- It is carried out in the state of that moment. When it is not possible any more, the request ends with the reason.',
    '- What was approved uses up nothing: two people have seen it.',
    '- While no other staff member has the permission, the operator of the network approves with `npm run staff -- approve <id>`. The audit then has no staff member, because it was the command line.',
    '',
    ...approverTable(kindsOf),
    '',
    'A promotion pays as far as the budget of its day in Kyiv goes, and the database refuses more. Drivers see on the page of the station that the budget is used up, and on the page of a charge that missed its reward. Until a change of a tariff is approved, the present price holds. A connector does not become free, or so much cheaper, by another tariff or by a file of stations: that is refused, because only a change of a tariff can wait.',
    '',
    '## Own money',
    '',
    'Nobody on the staff, in any role, decides about money that they profit from ([decision 48](decisions/0048-own-money.md)): the answer is 403 `own_money`. A staff member and somebody else profit from the same money when',
    '',
    ...asSentence(Object.values(ties)),
    '',
    'Calls that can wait are marked in the table below; where a call cannot wait, an equal card is refused with `own_request`, and a colleague makes the call. Stops, RESET, unlock and reading stay allowed, because they are safety. Authors of a promotion get no reward from it.',
    '',
    '## Audit',
    '',
    'Every change by staff, by the command line and by a job for them has one record, written in the same step as the change: who, what, about what, the state before and after, and the reason. Reading personal data is recorded once per person and hour. Records are chained by hashes; the nightly check and `npm run ledger:check` verify the chain ([decision 52](decisions/0052-audit-chain.md)). `apps/server/src/checks/staff-records.test.ts` makes every call below and counts its record.',
    '',
    '## Calls',
    '',
    '### That change something',
    '',
    'The last column says whose money the call is about, or why it is about none.',
    '',
    ...callTable(calls.filter(isChange)),
    '### That read',
    '',
    ...callTable(calls.filter((call) => !isChange(call))),
  ].join('\n');
}
