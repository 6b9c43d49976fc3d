import type { Kopecks } from '@fpay/contract/money';
import type { Role } from '@fpay/contract/roles';
import type { Station } from '@fpay/contract/stations';
import type { Step } from '../platform/step.ts';

/** What a party asks of the wallet. Each of these refuses what would cross the border of a closed party. */
export interface PartyMoney {
  giveEach(
    step: Step,
    gifts: { sender: number; recipients: readonly number[]; amount: Kopecks; requestKey: string },
  ): Promise<Kopecks>;
  /** Null: not possible. */
  topUpTo(
    step: Step,
    order: { sender: number; recipient: number; upTo: Kopecks; key: string },
  ): Promise<Kopecks | null>;
  lockForLeaving(
    step: Step,
    ends: { member: number; owner: number },
  ): Promise<{ own: Kopecks; party: Kopecks; isShared: boolean }>;
  balanceOf(step: Step, user: number): Promise<Kopecks>;
  lockForJoining(step: Step, user: number): Promise<{ role: Role; wallet: number; isTemporary: boolean }>;
  returnToOwner(step: Step, ends: { member: number; owner: number }): Promise<Kopecks>;
}

/** What a party asks of accounts. */
export interface PartyAccounts {
  newPassword(): Promise<{ password: string; hash: string }>;
  rename(step: Step, user: number, name: string, by: number): Promise<void>;
  resetPassword(step: Step, user: number, hash: string, by: number): Promise<void>;
  noteStoppedAllowance(step: Step, owner: number): Promise<void>;
  /** A message about an invitation, whether the number has an account or not. */
  noteInvitation(step: Step, phone: string, party: string): Promise<void>;
  noteParting(step: Step, parting: { member: number; party: string; returned: Kopecks; kept: Kopecks }): Promise<void>;
}

export interface PartyStations {
  ofParty(party: number): Promise<Station[]>;
}
