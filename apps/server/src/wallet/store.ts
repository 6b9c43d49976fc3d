import { type Kopecks, kopecks } from '@fpay/contract/money';
import { knownRole, type Role } from '@fpay/contract/roles';
import { sql } from 'kysely';
import pg from 'pg';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step } from '../platform/step.ts';
import type { Entry } from './transaction.ts';
import {
  type AccountId,
  accountId,
  correctionKey,
  keptEnds,
  network,
  type Transfer,
  type TransferKind,
} from './transfer.ts';

/** A user and the wallet they use. */
export interface Holder {
  user: number;
  name: string;
  phone: string;
  role: Role;
  isTemporary: boolean;
  wallet: AccountId;
  /** False: somebody else's wallet, shared with this user. */
  ownsWallet: boolean;
  balance: Kopecks;
}

export interface Page {
  before: number | undefined;
  limit: number;
}

/** A transfer that was made before. */
export interface MadeTransfer extends Omit<Transfer, 'key'> {
  id: number;
}

/** Accounts, transfers and wallets: the only code that knows these tables. */
export function createWalletStore(db: Database, clock: Clock) {
  function holders(from: Database | Step['db']) {
    return from
      .selectFrom('users')
      .innerJoin('wallets', 'wallets.id', 'users.wallet_id')
      .innerJoin('accounts', 'accounts.id', 'wallets.id')
      .select(['users.id', 'users.name', 'users.phone_number', 'users.role', 'users.is_temporary', 'users.wallet_id'])
      .select(['wallets.owner_id', 'accounts.balance'])
      .where('users.deleted_at', 'is', null);
  }

  type HolderRow = Awaited<ReturnType<ReturnType<typeof holders>['execute']>>[number];

  function holderOf(row: HolderRow): Holder {
    return {
      user: row.id,
      name: row.name,
      phone: row.phone_number,
      role: knownRole(row.role),
      isTemporary: row.is_temporary,
      wallet: accountId(row.wallet_id),
      ownsWallet: row.owner_id === row.id,
      balance: kopecks(row.balance ?? 0),
    };
  }

  const made = (row: MadeRow): MadeTransfer => ({
    id: row.id,
    kind: row.kind as TransferKind,
    from: accountId(row.from_account),
    to: accountId(row.to_account),
    amount: kopecks(row.amount),
    ...(row.operation_id === null ? {} : { operation: row.operation_id }),
    ...(row.payment_id === null ? {} : { payment: row.payment_id }),
  });

  return {
    /** Applies each transfer once and gives those that were new. The database checks them and keeps the balances. */
    async post(step: Step, transfers: readonly Transfer[]): Promise<Transfer[]> {
      if (transfers.length === 0) return [];
      const at = clock.now();
      const given = JSON.stringify(transfers.map((transfer) => ({ ...transfer, at })));
      try {
        const { rows } = await sql<{ ids: (number | null)[] }>`
          select post_transfers(${given}::jsonb, ${keptEnds(transfers)}::bigint[]) as ids`.execute(step.db);
        const ids = rows[0]?.ids ?? [];
        return transfers.filter((_, index) => ids[index] !== null);
      } catch (error) {
        if (error instanceof pg.DatabaseError && error.constraint === 'wallet_not_below_zero') {
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

    /** Where a payment's money waits while it is on its way back to a card. `wallet` null: it came from revenue. */
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

    async holder(user: number, from: Database | Step['db'] = db): Promise<Holder | null> {
      const row = await holders(from).where('users.id', '=', user).executeTakeFirst();
      return row ? holderOf(row) : null;
    },

    /** The same, and until the step ends the account is not deleted: money that is on its way to it finds it. */
    async lockHolder(step: Step, user: number): Promise<Holder | null> {
      const row = await holders(step.db).where('users.id', '=', user).forKeyShare('users').executeTakeFirst();
      return row ? holderOf(row) : null;
    },

    /** Whether the user deleted the account. A deletion that is under way is waited for. */
    async hasLeft(step: Step, user: number): Promise<boolean> {
      const row = await step.db
        .selectFrom('users')
        .select('deleted_at')
        .where('id', '=', user)
        .forShare()
        .executeTakeFirst();
      return row?.deleted_at !== null;
    },

    /**
     * Sender and recipient of a gift. Whoever changes their party or wallet must wait until this step is over, and the other
     * way round: what is read here is what holds when the money moves.
     */
    async giftEnds(
      step: Step,
      sender: number,
      phone: string,
    ): Promise<{ sender: Holder | null; recipient: Holder | null }> {
      const rows = await holders(step.db)
        .where((where) => where.or([where('users.id', '=', sender), where('users.phone_number', '=', phone)]))
        .orderBy('users.id')
        .forShare('users')
        .execute();
      const find = (isWanted: (row: (typeof rows)[number]) => boolean) => {
        const row = rows.find(isWanted);
        return row ? holderOf(row) : null;
      };
      return { sender: find((row) => row.id === sender), recipient: find((row) => row.phone_number === phone) };
    },

    /** What decides about a gift: on which sides of borders its ends are, and the sum that the sender gave today. */
    async giftFacts(step: Step, gift: { sender: number; wallets: readonly AccountId[]; since: Date }) {
      const { rows } = await sql<{ sides: number; gifted: number }>`
        select
          (select count(distinct coalesce(p.id, 0)) from users u left join party_members m on m.user_id = u.id
            left join parties p on p.id = m.party_id and p.is_closed where u.wallet_id = any (${gift.wallets})) as sides,
          (select coalesce(sum(amount), 0)::bigint from transfers
            where kind = 'gift' and sender_id = ${gift.sender} and created_at >= ${gift.since}) as gifted`.execute(
        step.db,
      );
      const [facts] = rows;
      return { sides: facts?.sides ?? 0, gifted: facts?.gifted ?? 0 };
    },

    async lockUsers(step: Step, users: readonly number[]): Promise<void> {
      await step.db.selectFrom('users').select('id').where('id', 'in', users).orderBy('id').forNoKeyUpdate().execute();
    },

    /** One sender's gifts one after the other: the daily limit counts all of them. Taken before any account's lock. */
    async queueGifts(step: Step, sender: number): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtextextended('gifts', ${sender}))`.execute(step.db);
    },

    /** The closed parties on whose inside the users of these wallets stand; 0 stands for being outside of all. */
    async closedSides(step: Step, wallets: readonly AccountId[]): Promise<number[]> {
      const rows = await step.db
        .selectFrom('users')
        .leftJoin('party_members', 'party_members.user_id', 'users.id')
        .leftJoin('parties', (join) =>
          join.onRef('parties.id', '=', 'party_members.party_id').on('parties.is_closed', '=', true),
        )
        .select('parties.id')
        .distinct()
        .where('users.wallet_id', 'in', wallets)
        .execute();
      return rows.map((row) => row.id ?? 0);
    },

    async usersOf(wallet: AccountId): Promise<{ users: number[]; balance: Kopecks } | null> {
      const rows = await db
        .selectFrom('users')
        .innerJoin('accounts', 'accounts.id', 'users.wallet_id')
        .select(['users.id', 'accounts.balance'])
        .where('users.wallet_id', '=', wallet)
        .execute();
      return rows[0] ? { users: rows.map((row) => row.id), balance: kopecks(rows[0].balance ?? 0) } : null;
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

    /** How often an operation's total was corrected after its settlement, and what that added to its earnings. */
    async corrections(step: Step, operation: number): Promise<{ count: number; sum: number }> {
      let sum = 0;
      for (let count = 0; ; count += 1) {
        const next = await this.findByKey(step, correctionKey(operation, count + 1));
        if (next === null) return { count, sum };
        sum += next.to === network.revenue ? next.amount : -next.amount;
      }
    },

    /** Holds accounts still, in the order of everybody, and tells what is in them. The network's own have no balance here. */
    async lock(step: Step, accounts: readonly AccountId[]): Promise<Map<AccountId, Kopecks>> {
      const { rows } = await sql<{ id: number; balance: number }>`
        select id, balance from lock_accounts(${accounts}::bigint[])`.execute(step.db);
      return new Map(rows.map((row) => [accountId(row.id), kopecks(row.balance)]));
    },

    /** Newest first. Two indexes, one per side: each page costs the same however long the history. */
    async entries(wallet: AccountId, { before, limit }: Page): Promise<Entry[]> {
      const last = before ?? Number.MAX_SAFE_INTEGER;
      const { rows } = await sql<EntryRow>`
        select t.*, sender.phone_number as sender, recipient.phone_number as recipient from (
          (select *, true as is_incoming from transfers
            where to_account = ${wallet} and to_account >= 100 and kind not in ('operation_payment', 'refund')
              and id < ${last} order by id desc limit ${limit})
          union all
          (select *, false from transfers
            where from_account = ${wallet} and from_account >= 100
              and kind not in ('earned', 'operation_return', 'refunded', 'refund_refused') and id < ${last} order by id desc limit ${limit})
        ) t
        left join users sender on sender.id = t.sender_id
        left join users recipient on recipient.id = t.recipient_id
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
      }));
    },
  };
}

export type WalletStore = ReturnType<typeof createWalletStore>;

interface MadeRow {
  id: number;
  kind: string;
  from_account: number;
  to_account: number;
  amount: number;
  operation_id: number | null;
  payment_id: number | null;
}

interface EntryRow extends MadeRow {
  is_incoming: boolean;
  staff_id: number | null;
  promo_id: number | null;
  reverses_id: number | null;
  sender: string | null;
  recipient: string | null;
  created_at: Date;
}
