import { randomUUID } from 'node:crypto';
import { finalStatuses, isAmong } from '@fpay/contract/charging';
import { sql } from 'kysely';
import { preparedStatementMarker } from '../../platform/database.ts';
import { Refusal } from '../../platform/refusal.ts';
import { type StaffSubject, staffActions } from './staff-actions.ts';
import { brokenBounds } from './staff-bounds.ts';
import { createLaterFacts } from './staff-facts.ts';
import { createStaffJudge, forcesEnergy, type JudgedAfter } from './staff-judge.ts';
import type { Between, StaffSequence } from './staff-sequences.ts';
import { openStaffActions } from './staff-subjects.ts';

/** A charge that opens with this on the balance; each `give` and `take` moves 20.00. */
const given = 1000_00;
const byHand: Record<string, number> = { 'give money': 20_00, 'take money': -20_00 };
/** What a sequence started is over after this many looks; each is when something is due next, or the bank has answered. */
const mostLooks = 8;
const bankMs = 20_000;
const captureMs = 1_000;
const shownLines = 8;
/** Later work is a watchdog's, not the end of what was started. */
const soonMs = 30 * 60_000;

/** Plays sequences one after the other on one database, one bank and one clock that is moved by hand. */
export async function openStaffRuns() {
  const subjects = await openStaffActions();
  const { db, clock } = subjects;
  // A capture takes as long as a release, so an action can come in the middle of either.
  await subjects.switchBank({ finalizeMs: captureMs });
  const facts = createLaterFacts(subjects);
  const judge = createStaffJudge(subjects);
  /** Which sequence a row of the books belongs to. */
  const played = new Map<string, StaffSequence>();
  const known = new Set<string>();

  const nextDue = async ({ user }: StaffSubject): Promise<Date | null> => {
    const { rows } = await sql<{ at: Date | null }>`${sql.raw(preparedStatementMarker)}
      select least(
        (select min(next_action_at) from payments where user_id = ${user}),
        (select min(r.next_action_at) from refunds r join payments p on p.id = r.payment_id where p.user_id = ${user}),
        (select min(next_action_at) from operations where user_id = ${user})) as at`.execute(db);
    return rows[0]?.at ?? null;
  };

  /** Runs what is due until nothing is, or only what would wait for a watchdog. The bank reports what it has done. */
  async function settle(subject: StaffSubject): Promise<void> {
    await subjects.runAllDue(subject.user);
    subjects.advance(bankMs);
    if (subject.payment !== 0) await subjects.features.payments.service.lookNow(subject.payment);
    await subjects.runAllDue(subject.user);
    for (let looks = 0; looks < mostLooks; looks += 1) {
      const at = await nextDue(subject);
      if (at === null) return;
      const waitMs = at.getTime() - clock.now().getTime();
      if (waitMs > soonMs) return;
      subjects.advance(Math.max(0, waitMs));
      await subjects.runAllDue(subject.user);
    }
  }

  /** Does one action. True when it was done, false when it was refused. */
  async function act(name: string, subject: StaffSubject): Promise<boolean> {
    try {
      await staffActions[name]?.(subjects, { ...subject, requestKey: randomUUID() });
      return true;
    } catch (error) {
      if (error instanceof Refusal) return false;
      throw error;
    }
  }

  const afterAction: Record<Between, (subject: StaffSubject) => Promise<void>> = {
    unasked: async () => {},
    asked: ({ user }) => subjects.runDue(user),
    answered: ({ user }) => subjects.settleAtBank(user),
  };

  async function actWithin(name: string, subject: StaffSubject, paidBy: StaffSequence['paidBy']) {
    const before = await subjects.stateOf(subject);
    const atBank = paidBy === 'card' ? await subjects.capturedAtBank(subject.payment) : 0;
    const isDone = await act(name, subject);
    const after = await subjects.stateOf(subject);
    return { isDone, broken: brokenBounds(name, { before, after, paidBy, atBank }).map((never) => `${name} ${never}`) };
  }

  /** What staff can do about a charge that is open, or whose money is set aside, must end both. */
  async function wayOut(subject: StaffSubject, after: JudgedAfter): Promise<string[]> {
    const { status } = await subjects.stateOf(subject);
    if (!isAmong(finalStatuses, status)) await act('force status failed', subject);
    await settle(subject);
    if ((await judge(subject, after)).isOpen) {
      await act('cancel hold', subject);
      await settle(subject);
    }
    const { faults, isOpen } = await judge(subject, after);
    const stranded = isOpen ? ['no action of staff ends it and releases its money'] : [];
    return [...faults, ...stranded].map((text) => `after the way out: ${text}`);
  }

  async function playUnguarded(sequence: StaffSequence): Promise<string[]> {
    const subject = await subjects.subjectIn(sequence.status, sequence.paidBy);
    played.set(`operation ${subject.operation}`, sequence);
    played.set(`payment ${subject.payment}`, sequence);
    const after: JudgedAfter = { byHand: given, isWatched: sequence.fact === 'watchdog', isEnergyForced: false };
    const faults: string[] = [];
    for (const name of sequence.actions) {
      const { isDone, broken } = await actWithin(name, subject, sequence.paidBy);
      faults.push(...broken);
      if (isDone) after.byHand += byHand[name] ?? 0;
      if (isDone && forcesEnergy(name)) after.isEnergyForced = true;
      await afterAction[sequence.between](subject);
    }
    await facts[sequence.fact](subject);
    await settle(subject);
    const verdict = await judge(subject, after);
    faults.push(...verdict.faults);
    if (verdict.isOpen) faults.push(...(await wayOut(subject, after)));
    return faults;
  }

  return {
    /** What is wrong after the sequence. */
    async play(sequence: StaffSequence): Promise<string[]> {
      try {
        return await playUnguarded(sequence);
      } catch (error) {
        const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
        return [`thrown: ${stack.split('\n').slice(0, shownLines).join('\n')}`];
      }
    },

    /** The whole ledger check, over all sequences since the last one, each fault with the sequence that made it. */
    async check(): Promise<{ sequence: StaffSequence | null; fault: string }[]> {
      const added = (await subjects.faults()).filter(({ rule, subject }) => !known.has(`${rule} ${subject}`));
      for (const { rule, subject } of added) known.add(`${rule} ${subject}`);
      return added.map(({ rule, subject, details }) => ({
        sequence: played.get(subject) ?? null,
        fault: `ledger check, ${subject}: ${rule} ${JSON.stringify(details)}`,
      }));
    },

    close: subjects.close,
  };
}

export type StaffRuns = Awaited<ReturnType<typeof openStaffRuns>>;
