import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { DeviceConnection } from '../../ocpp/device/connection.ts';
import { createSamples } from '../../ocpp/metering/samples.ts';
import { timingsWith } from '../../ocpp/timings.ts';
import { createTransactionStart } from '../../ocpp/transactions/transaction-start.ts';
import { createTransactionStop } from '../../ocpp/transactions/transaction-stop.ts';
import { createUsualStarts } from '../../ocpp/transactions/usual-starts.ts';
import type { StaffSubject } from './staff-actions.ts';
import type { LaterFact } from './staff-sequences.ts';
import type { openStaffActions } from './staff-subjects.ts';

type Subjects = Awaited<ReturnType<typeof openStaffActions>>;

/** The device has delivered more than its operation knows. */
const meteredWh = { reading: 120, end: 130 } as const;
/** Longer than a stop or a start may be without an effect; then longer than a station may be away. */
const watchdogTimesMs = [11 * 60_000, 25 * 60 * 60_000] as const;

/** The facts that may come after staff have acted, through the same code that hears the device and the bank. */
export function createLaterFacts(subjects: Subjects): Record<LaterFact, (subject: StaffSubject) => Promise<void>> {
  const { db, steps, features, clock } = subjects;
  const { hooks } = features.charging;
  const timings = timingsWith({ batchWaitMs: 0 });
  const startTransaction = createTransactionStart({
    steps,
    hooks,
    usual: createUsualStarts({ steps, hooks, timings }),
  });
  const stopTransaction = createTransactionStop({ steps, hooks });
  const samples = createSamples({ steps, hooks, clock, timings, wakeOutbox() {} });
  const now = () => clock.now().getTime();

  function connectionOf({ chargePoint }: StaffSubject): DeviceConnection {
    return {
      chargePointId: chargePoint,
      identity: `CP-${chargePoint}`,
      epoch: 1,
      protocol: 'ocpp1.6',
      connectedAt: now(),
      lostAt: null,
      hasBooted: true,
      isVoid: false,
      isReady: true,
      takesStops: true,
      transactions: null,
      link: undefined as never,
    };
  }

  /** The charge of the device. One that has not begun begins now: a remote start may have reached it. */
  async function transactionOf(subject: StaffSubject): Promise<number> {
    if (subject.transaction !== 0) return subject.transaction;
    const { id_tag: idTag } = await db
      .selectFrom('operations')
      .select('id_tag')
      .where('id', '=', subject.operation)
      .executeTakeFirstOrThrow();
    const started = {
      ocppConnector: 1,
      idTag,
      meterStartWh: 0,
      deviceAt: now(),
      stamp: randomUUID(),
      receivedAt: now(),
    };
    const { ocppTransactionId } = await startTransaction(connectionOf(subject), started);
    subjects.advance(10_000);
    return ocppTransactionId;
  }

  async function settleLater(subject: StaffSubject, ms: number): Promise<void> {
    subjects.advance(ms);
    await subjects.runAllDue(subject.user);
    await features.charging.watch();
    await subjects.settleAtBank(subject.user);
  }

  return {
    nothing: async () => {},

    async 'payment at the bank'(subject) {
      const payment = await features.payments.store.find(subject.payment);
      // The bank refuses what was paid already, and accepts a late payment of a page that was withdrawn.
      await subjects.atBank(`invoices/${payment?.invoice}/pay`, { late: true });
      await features.payments.service.lookNow(subject.payment);
    },

    async reading(subject) {
      const ocppTransactionId = await transactionOf(subject);
      const sample = { at: now(), context: 'Sample.Periodic' as const, energyWh: meteredWh.reading };
      const reported = { ocppConnector: 1, ocppTransactionId, samples: [sample], receivedAt: now() };
      await samples.add(connectionOf(subject), reported);
    },

    async StopTransaction(subject) {
      const ocppTransactionId = await transactionOf(subject);
      await stopTransaction(connectionOf(subject), {
        ocppTransactionId,
        idTag: null,
        meterStopWh: meteredWh.end,
        reason: 'Local',
        deviceAt: now(),
        stamp: randomUUID(),
        samples: [],
        receivedAt: now(),
      });
    },

    async watchdog(subject) {
      await sql`update charge_points set online_changed_at = ${clock.now()}
        where id = ${subject.chargePoint} and online_changed_at is null`.execute(db);
      for (const ms of watchdogTimesMs) await settleLater(subject, ms);
    },
  };
}
