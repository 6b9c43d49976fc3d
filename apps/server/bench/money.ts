import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { kopecks } from '@fpay/contract/money';
import { startEmbeddedPostgres } from '@fpay/embedded-postgres/start';
import { removeEmbeddedPostgres } from '@fpay/embedded-postgres/stop';
import { sql } from 'kysely';
import { migrateProduct } from '../src/app/schema.ts';
import { openDatabase } from '../src/platform/database.ts';
import { createSteps } from '../src/platform/step.ts';
import { checkLedger, ledgerRules } from '../src/wallet/check.ts';
import { createWalletService } from '../src/wallet/service.ts';
import { createWalletStore } from '../src/wallet/store.ts';
import { accountId, network, type Reserve, reserve } from '../src/wallet/transfer.ts';
import { benchReceipts } from './receipts.ts';
import { prepareTpcb, runTpcb } from './tpcb.ts';

/** Measures the ledger with the durability of the product: settlements compared with TPC-B, one hot wallet, gifts. */
const clients = 16;
const seconds = Number(process.env.BENCH_SECONDS ?? 6);
const wallets = 2_000;
/** The goal: a settlement costs at most as much as one and a half TPC-B transactions. */
const leastRatio = 0.7;

const quiet = { info() {}, warn: (fields: object, message: string) => console.warn(message, fields) };

async function main(): Promise<void> {
  const dataDir = mkdtempSync(join(tmpdir(), 'fpay-bench-'));
  const postgres = await startEmbeddedPostgres({ dataDir, log: quiet });
  try {
    await migrateProduct({ url: postgres.ownerUrl });
    await prepareTpcb(postgres.ownerUrl);
    const isFast = await measure(postgres);
    const areReceiptsFast = await benchReceipts();
    process.exitCode = isFast && areReceiptsFast ? 0 : 1;
  } finally {
    await postgres.stop();
    await removeEmbeddedPostgres(dataDir, 'full');
    rmSync(dataDir, { recursive: true, force: true });
  }
}

async function measure({ ownerUrl, appUrl }: { ownerUrl: string; appUrl: string }): Promise<boolean> {
  const { db, close } = openDatabase({ url: appUrl, poolSize: clients });
  const clock = { now: () => new Date() };
  const steps = createSteps(db, () => {});
  const ledger = createWalletStore(db, clock);
  const wallet = createWalletService({ ledger });
  const users = await addUsers();
  let next = 0;

  async function addUsers(): Promise<{ id: number; wallet: number }[]> {
    const { rows } = await sql<{ id: number; wallet: number }>`
      insert into users (name, phone_number, created_at)
      select 'Driver', '+38099' || lpad(i::text, 7, '0'), now() from generate_series(1, ${wallets}) i
      returning id, wallet_id as wallet`.execute(db);
    const seed = rows.map(({ id, wallet: to }) => ({
      key: `seed:${id}`,
      kind: 'admin' as const,
      from: network.staff,
      to: accountId(to),
      amount: kopecks(1_000_000_000_00),
    }));
    await steps.run((step) => wallet.transfer(step, seed));
    return rows;
  }

  /** Creates reserves beforehand, so that only the settlements are measured. */
  async function reserves(count: number, ofWallet: (index: number) => number): Promise<Reserve[]> {
    const first = next + 1;
    next += count;
    const pairs = Array.from({ length: count }, (_, index) => ({ operation: first + index, wallet: ofWallet(index) }));
    const all: Reserve[] = [];
    for (let at = 0; at < count; at += 500) all.push(...(await reserveSome(pairs.slice(at, at + 500))));
    return all;
  }

  async function reserveSome(pairs: { operation: number; wallet: number }[]): Promise<Reserve[]> {
    const { rows } = await sql<{ operation: number; account: number; wallet: number }>`
      with given as (select * from jsonb_to_recordset(${JSON.stringify(pairs)}::jsonb) as g (operation bigint, wallet bigint))
      select g.operation, g.wallet, open_account('reserve', g.operation, null, g.wallet) as account from given g`.execute(
      db,
    );
    const reserved = rows.map(({ operation, account, wallet: payer }) => ({
      operation,
      account: accountId(account),
      wallet: accountId(payer),
      deposit: kopecks(500_00),
    }));
    await steps.run((step) =>
      wallet.transfer(
        step,
        reserved.flatMap((one) => reserve(one)),
      ),
    );
    return reserved;
  }

  async function rate(work: (index: number) => Promise<unknown>, most = Number.POSITIVE_INFINITY): Promise<number> {
    const startedAt = performance.now();
    const endsAt = startedAt + seconds * 1000;
    let taken = 0;
    await Promise.all(
      Array.from({ length: clients }, async () => {
        while (performance.now() < endsAt && taken < most) {
          taken += 1;
          await work(taken - 1);
        }
      }),
    );
    return taken / ((performance.now() - startedAt) / 1000);
  }

  const settleAll = (reserved: Reserve[]) => (index: number) =>
    steps.run(async (step) => {
      const one = reserved[index];
      if (one) await wallet.settle(step, one, kopecks(312_40));
    });
  const walletOf = (index: number) => users[index % users.length]?.wallet ?? 0;
  const many = Math.ceil(seconds * 2_000);

  // In alternation, so that other load on the machine affects both equally.
  const rounds: { tpcb: number; settlements: number }[] = [];
  for (let round = 0; round < 5; round += 1) {
    const waiting = await reserves(many, walletOf);
    const tpcb = await runTpcb(ownerUrl, { clients, seconds });
    rounds.push({ tpcb, settlements: await rate(settleAll(waiting), many) });
  }
  const ratio = median(rounds.map(({ tpcb, settlements }) => settlements / tpcb));
  const tpcb = median(rounds.map((round) => round.tpcb));
  const settlements = median(rounds.map((round) => round.settlements));
  console.log(`TPC-B, scale 50, ${clients} clients: ${tpcb.toFixed(0)} a second`);
  console.log(`settlements, ${clients} clients: ${settlements.toFixed(0)} a second, ${ratio.toFixed(2)} of TPC-B`);

  const hot = await rate(settleAll(await reserves(many, () => walletOf(0))), many);
  console.log(`settlements into one hot wallet: ${hot.toFixed(0)} a second`);

  const gifts = await rate((index) =>
    steps.run((step) => {
      const from = accountId(walletOf(Math.floor(Math.random() * wallets)));
      const to = accountId(walletOf(Math.floor(Math.random() * wallets)));
      if (from === to) return Promise.resolve([]);
      const amount = kopecks(100);
      return wallet.transfer(step, [{ key: `bench:gift:${index}`, kind: 'gift', from, to, amount }]);
    }),
  );
  console.log(`gifts between random wallets: ${gifts.toFixed(0)} a second`);

  const faults = await checkLedger(db, ledgerRules);
  console.log(faults.length === 0 ? 'the ledger is right' : `the ledger has ${faults.length} faults`);
  await close();
  return ratio >= leastRatio && faults.length === 0;
}

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

await main();
