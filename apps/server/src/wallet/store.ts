import { type Kopecks, kopecks } from '@fpay/contract/money';
import { knownRole } from '@fpay/contract/roles';
import { sql } from 'kysely';
import pg from 'pg';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step } from '../platform/step.ts';
import { takesOfTransfer } from './colours.ts';
import type { Earned, MadeTransfer, Posted, TransactionPage, WalletStore, WalletUser } from './ledger.ts';
import { shownIncoming, shownOutgoing } from './shown-transfers.ts';
import type { Entry } from './transaction.ts';
import { type AccountId, accountId, correctionKey, keptEnds, type Transfer, type TransferKind } from './transfer.ts';

/** Accounts, transfers and wallets: the only code that uses these tables. */
export function createWalletStore(db: Database, clock: Clock): WalletStore {
  function holders(from: Database | Step['db']) {
    return from
      .selectFrom('users')
      .innerJoin('wallets', 'wallets.id', 'users.wallet_id')
      .innerJoin('accounts', 'accounts.id', 'wallets.id')
      .select(['users.id', 'users.name', 'users.phone_number', 'users.role', 'users.is_temporary', 'users.wallet_id'])
      .select('users.language')
      .select(['wallets.owner_id', 'accounts.balance', 'accounts.party_balance'])
      .where('users.deleted_at', 'is', null);
  }

  type WalletUserRow = Awaited<ReturnType<ReturnType<typeof holders>['execute']>>[number];

  function walletUserOf(row: WalletUserRow): WalletUser {
    return {
      user: row.id,
      name: row.name,
      phone: row.phone_number,
      role: knownRole(row.role),
      isTemporary: row.is_temporary,
      language: row.language,
      wallet: accountId(row.wallet_id),
      ownsWallet: row.owner_id === row.id,
      balance: kopecks(row.balance ?? 0),
      partyBalance: kopecks(row.party_balance),
    };
  }

  const made = (row: MadeRow): MadeTransfer => ({
    id: row.id,
    key: row.key,
    kind: row.kind as TransferKind,
    from: accountId(row.from_account),
    to: accountId(row.to_account),
    amount: kopecks(row.amount),
    ...(row.operation_id === null ? {} : { operation: row.operation_id }),
    ...(row.payment_id === null ? {} : { payment: row.payment_id }),
  });

  return {
    async post(step: Step, transfers: readonly Transfer[]): Promise<Posted> {
      if (transfers.length === 0) return { made: [], partyArrivals: [] };
      const at = clock.now();
      const given = JSON.stringify(
        transfers.map((transfer) => ({ ...transfer, takes: takesOfTransfer(transfer), at })),
      );
      try {
        const { rows } = await sql<{ posted: PostedRow }>`
          select post_coloured_transfers(${given}::jsonb, ${keptEnds(transfers)}::bigint[]) as posted`.execute(step.db);
        const { ids, parts } = rows[0]?.posted ?? { ids: [], parts: [] };
        return {
          made: transfers.filter((_, index) => ids[index] !== null),
          partyArrivals: parts.flatMap(({ index, party, arrived }) => {
            const transfer = transfers[index];
            return transfer && arrived > 0 ? [{ transfer, party, amount: kopecks(arrived) }] : [];
          }),
        };
      } catch (error) {
        if (error instanceof pg.DatabaseError && tooLittle.has(error.constraint ?? '')) {
          throw new Refusal('insufficient_balance');
        }
        throw error;
      }
    },

    async openReserve(step: Step, operation: number, wallet: AccountId): Promise<AccountId> {
      const { rows } = await sql<{ id: number }>`
        select open_account('reserve', ${operation}, null, ${wallet}) as id`.execute(step.db);
      return accountId(rows[0]?.id ?? 0);
    },

    async openEarned(step: Step, operation: number): Promise<AccountId> {
      const { rows } = await sql<{ id: number }>`
        select open_account('earned', ${operation}, null, null) as id`.execute(step.db);
      return accountId(rows[0]?.id ?? 0);
    },

    async earned(operation: number, step?: Step): Promise<Earned | null> {
      const row = await (step?.db ?? db)
        .selectFrom('accounts')
        .select(['id', 'balance'])
        .where('operation_id', '=', operation)
        .where('kind', '=', 'earned')
        .executeTakeFirst();
      if (!row) return null;
      const account = accountId(row.id);
      const left = step ? (await this.lock(step, [account])).get(account) : row.balance;
      return { account, left: kopecks(left ?? 0) };
    },

    async openRefund(step: Step, payment: number, wallet: AccountId | null): Promise<AccountId> {
      const { rows } = await sql<{ id: number }>`
        select open_account('refund', null, ${payment}, ${wallet}) as id`.execute(step.db);
      return accountId(rows[0]?.id ?? 0);
    },

    async balanceOf(user: number): Promise<Kopecks> {
      const row = await db
        .selectFrom('users')
        .innerJoin('accounts', 'accounts.id', 'users.wallet_id')
        .select('accounts.balance')
        .where('users.id', '=', user)
        .executeTakeFirst();
      return kopecks(row?.balance ?? 0);
    },

    async holder(user: number, from: Database | Step['db'] = db): Promise<WalletUser | null> {
      const row = await holders(from).where('users.id', '=', user).executeTakeFirst();
      return row ? walletUserOf(row) : null;
    },

    async lockWalletUser(step: Step, user: number): Promise<WalletUser | null> {
      const row = await holders(step.db).where('users.id', '=', user).forKeyShare('users').executeTakeFirst();
      return row ? walletUserOf(row) : null;
    },

    async hasLeft(step: Step, user: number): Promise<boolean> {
      const row = await step.db
        .selectFrom('users')
        .select('deleted_at')
        .where('id', '=', user)
        .forShare()
        .executeTakeFirst();
      return row?.deleted_at !== null;
    },

    async giftEnds(
      step: Step,
      sender: number,
      phone: string,
    ): Promise<{ sender: WalletUser | null; recipient: WalletUser | null }> {
      const rows = await holders(step.db)
        .where((where) => where.or([where('users.id', '=', sender), where('users.phone_number', '=', phone)]))
        .orderBy('users.id')
        .forShare('users')
        .execute();
      const find = (isWanted: (row: (typeof rows)[number]) => boolean) => {
        const row = rows.find(isWanted);
        return row ? walletUserOf(row) : null;
      };
      return { sender: find((row) => row.id === sender), recipient: find((row) => row.phone_number === phone) };
    },

    async giftUsers(step: Step, users: readonly number[]): Promise<Map<number, WalletUser>> {
      const rows = await holders(step.db)
        .where('users.id', 'in', users)
        .orderBy('users.id')
        .forShare('users')
        .execute();
      return new Map(rows.map((row) => [row.id, walletUserOf(row)]));
    },

    async giftedSince(step: Step, sender: number, since: Date): Promise<number> {
      const { rows } = await sql<{ gifted: number }>`
        select coalesce(sum(amount), 0)::bigint as gifted from transfers
        where kind = 'gift' and sender_id = ${sender} and created_at >= ${since}`.execute(step.db);
      return rows[0]?.gifted ?? 0;
    },

    async lockUsers(step: Step, users: readonly number[]): Promise<void> {
      await step.db.selectFrom('users').select('id').where('id', 'in', users).orderBy('id').forNoKeyUpdate().execute();
    },

    async queueGifts(step: Step, sender: number): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtextextended('gifts', ${sender}))`.execute(step.db);
    },

    async usersOf(
      wallet: AccountId,
      from: Database | Step['db'] = db,
    ): Promise<{ users: number[]; balance: Kopecks } | null> {
      const rows = await from
        .selectFrom('users')
        .innerJoin('accounts', 'accounts.id', 'users.wallet_id')
        .select(['users.id', 'accounts.balance'])
        .where('users.wallet_id', '=', wallet)
        .execute();
      return rows[0] ? { users: rows.map((row) => row.id), balance: kopecks(rows[0].balance ?? 0) } : null;
    },

    async borrowersOf(step: Step, wallet: AccountId): Promise<{ user: number; ownWallet: number }[]> {
      return step.db
        .selectFrom('users')
        .innerJoin('wallets', 'wallets.owner_id', 'users.id')
        .select(['users.id as user', 'wallets.id as ownWallet'])
        .where('users.wallet_id', '=', wallet)
        .where('wallets.id', '!=', wallet)
        .orderBy('users.id')
        .execute();
    },

    async isMade(step: Step, key: string): Promise<boolean> {
      const row = await step.db.selectFrom('transfers').select('id').where('key', '=', key).executeTakeFirst();
      return row !== undefined;
    },

    async find(step: Step, id: number): Promise<MadeTransfer | null> {
      const row = await step.db.selectFrom('transfers').selectAll().where('id', '=', id).executeTakeFirst();
      return row ? made(row) : null;
    },

    async findByKey(step: Step, key: string): Promise<MadeTransfer | null> {
      const row = await step.db.selectFrom('transfers').selectAll().where('key', '=', key).executeTakeFirst();
      return row ? made(row) : null;
    },

    async corrections(step: Step, operation: number): Promise<number> {
      for (let count = 0; ; count += 1)
        if (!(await this.isMade(step, correctionKey(operation, count + 1)))) return count;
    },

    async lock(step: Step, accounts: readonly AccountId[]): Promise<Map<AccountId, Kopecks>> {
      const { rows } = await sql<{ id: number; balance: number }>`
        select id, balance from lock_accounts(${accounts}::bigint[])`.execute(step.db);
      return new Map(rows.map((row) => [accountId(row.id), kopecks(row.balance)]));
    },

    async entries(wallet: AccountId, { before, limit }: TransactionPage): Promise<Entry[]> {
      const last = before ?? Number.MAX_SAFE_INTEGER;
      const { rows } = await sql<EntryRow>`
        select t.*, sender.phone_number as sender, recipient.phone_number as recipient,
            stations.number as station, operations.user_id as driver from (
          (select *, true as is_incoming from transfers
            where to_account = ${wallet} and ${shownIncoming} and id < ${last} order by id desc limit ${limit})
          union all
          (select *, false from transfers
            where from_account = ${wallet} and ${shownOutgoing} and id < ${last} order by id desc limit ${limit})
        ) t
        left join users sender on sender.id = t.sender_id
        left join users recipient on recipient.id = t.recipient_id
        left join operations on operations.id = t.operation_id
        left join stations on stations.id = operations.station_id
        order by t.id desc limit ${limit}`.execute(db);
      return rows.map((row) => ({
        id: row.id,
        kind: row.kind as TransferKind,
        isIncoming: row.is_incoming,
        amount: row.amount,
        operation: row.operation_id,
        payment: row.payment_id,
        staff: row.staff_id,
        promo: row.promo_id,
        reverses: row.reverses_id,
        sender: row.sender,
        recipient: row.recipient,
        createdAt: row.created_at,
        charge: row.station !== null && row.driver !== null ? { station: row.station, driver: row.driver } : null,
      }));
    },
  };
}

/** The rules of the database that say that a wallet has too little, as a whole or of one colour. */
const tooLittle = new Set(['wallet_not_below_zero', 'wallet_own_money_not_below_zero', 'party_money_not_below_zero']);

interface PostedRow {
  ids: (number | null)[];
  parts: { index: number; party: number; taken: number; arrived: number }[];
}

interface MadeRow {
  id: number;
  key: string;
  kind: string;
  from_account: number;
  to_account: number;
  amount: number;
  operation_id: number | null;
  payment_id: number | null;
}

interface EntryRow extends MadeRow {
  station: string | null;
  driver: number | null;
  is_incoming: boolean;
  staff_id: number | null;
  promo_id: number | null;
  reverses_id: number | null;
  sender: string | null;
  recipient: string | null;
  created_at: Date;
}
