import type { DB } from './generated/database.ts';
import type { Step } from './step.ts';

/** Why rows stay as they are. */
export type Kept = `kept: ${string}`;

/** What happens to the rows of a table that refer to a user. */
export interface UserTable {
  /** A guest joined an account: their rows belong to the account from now on. May be called again for late rows. */
  onUserMerged: ((step: Step, from: number, to: number) => Promise<void>) | Kept;
  /** An account is deleted: data that only its owner needed is deleted. */
  onUserDeleted: ((step: Step, user: number) => Promise<void>) | Kept;
}

/** The answers of one feature for its tables. Accounts run the functions in the step of the merge or of the deletion. */
export type UserTables = Partial<Record<keyof DB, UserTable>>;

export async function userMerged(answers: readonly UserTables[], step: Step, from: number, to: number): Promise<void> {
  for (const { onUserMerged } of answers.flatMap((tables) => Object.values(tables))) {
    if (typeof onUserMerged === 'function') await onUserMerged(step, from, to);
  }
}

export async function userDeleted(answers: readonly UserTables[], step: Step, user: number): Promise<void> {
  for (const { onUserDeleted } of answers.flatMap((tables) => Object.values(tables))) {
    if (typeof onUserDeleted === 'function') await onUserDeleted(step, user);
  }
}
