import { type Kopecks, kopecks } from '@fpay/contract/money';
import type { Step } from '../platform/step.ts';
import type { WalletStore } from './ledger.ts';
import { type AccountId, accountId } from './transfer.ts';

/** The two parts of an account, which is locked until the step ends. */
export async function lockParts(
  step: Step,
  ledger: Pick<WalletStore, 'lock'>,
  account: AccountId,
): Promise<{ own: Kopecks; party: Kopecks }> {
  const balance = (await ledger.lock(step, [account])).get(account) ?? 0;
  const row = await step.db.selectFrom('accounts').select('party_balance').where('id', '=', account).executeTakeFirst();
  const party = row?.party_balance ?? 0;
  return { own: kopecks(balance - party), party: kopecks(party) };
}

/** Which parts of a transfer were party money; zeros when none was. */
export async function partsOf(
  step: Step,
  key: string,
): Promise<{ amount: number; taken: number; arrived: number; party: number | null }> {
  const row = await step.db
    .selectFrom('transfers')
    .leftJoin('party_parts', 'party_parts.transfer_id', 'transfers.id')
    .select(['transfers.amount', 'party_parts.taken', 'party_parts.arrived', 'party_parts.party_id as party'])
    .where('transfers.key', '=', key)
    .executeTakeFirst();
  return { amount: row?.amount ?? 0, taken: row?.taken ?? 0, arrived: row?.arrived ?? 0, party: row?.party ?? null };
}

/** Whether a user of this wallet, or the one who owns it, is in this party. */
export async function isWalletInParty(step: Step, wallet: AccountId, party: number): Promise<boolean> {
  const row = await step.db
    .selectFrom('users')
    .innerJoin('party_members', 'party_members.user_id', 'users.id')
    .leftJoin('wallets', 'wallets.owner_id', 'users.id')
    .select('users.id')
    .where('party_members.party_id', '=', party)
    .where((where) => where.or([where('users.wallet_id', '=', wallet), where('wallets.id', '=', wallet)]))
    .executeTakeFirst();
  return row !== undefined;
}

/** The wallet that belongs to the owner of a party, whichever the owner uses at present. */
export async function ownerWalletOf(step: Step, party: number): Promise<{ wallet: AccountId; owner: number }> {
  const row = await step.db
    .selectFrom('parties')
    .innerJoin('wallets', 'wallets.owner_id', 'parties.owner_id')
    .select(['wallets.id', 'parties.owner_id'])
    .where('parties.id', '=', party)
    .executeTakeFirstOrThrow();
  return { wallet: accountId(row.id), owner: row.owner_id };
}
