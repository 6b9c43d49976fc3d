import { type CardProblem, CardTag } from '@fpay/contract/admin/network/cards';
import { type Audit, noRecord } from '../platform/audit.ts';
import type { Clock } from '../platform/clock.ts';
import { Refusal } from '../platform/refusal.ts';
import type { Step, Steps } from '../platform/step.ts';

/** What staff may do with cards, on record. */
export interface CardStaff {
  /** One card a line; nothing is written when a line is wrong. */
  issue(staff: number, lines: string): Promise<{ issued: number; problems: { line: number; reason: CardProblem }[] }>;
  /** @refuses not_found, user_not_found, action_not_applicable */
  bind(staff: number, card: number, user: string | null): Promise<void>;
  /** @refuses not_found, action_not_applicable */
  setBlocked(staff: number, card: number, isBlocked: boolean): Promise<void>;
}

interface Dependencies {
  steps: Steps;
  clock: Clock;
  audit: Audit;
  /** By a phone or an id; null when there is none, or when the user may have no card. */
  userOf: (text: string) => Promise<number | null>;
}

interface Line {
  line: number;
  tag: string;
  user: string | null;
}

/** Empty lines count for the numbers of the others. */
function linesOf(text: string): Line[] {
  return text.split(/\r?\n/).flatMap((raw, index) => {
    const [tag = '', user = ''] = raw.replace(/^\uFEFF/, '').split(/[;,\t]/);
    if (raw.trim() === '') return [];
    return [{ line: index + 1, tag: tag.replaceAll(/[\s:-]/g, '').toUpperCase(), user: user.trim() || null }];
  });
}

export function createCardStaff({ steps, clock, audit, userOf }: Dependencies): CardStaff {
  async function lock(step: Step, id: number) {
    const card = await step.db
      .selectFrom('rfid_cards')
      .select(['id', 'user_id', 'blocked_at'])
      .where('id', '=', id)
      .forUpdate()
      .executeTakeFirst();
    if (!card) throw new Refusal('not_found');
    return card;
  }
  const subject = (id: number) => ({ kind: 'rfid-card', id }) as const;

  async function checked(lines: Line[]) {
    const seen = new Set<string>();
    const problems: { line: number; reason: CardProblem }[] = [];
    const cards: (Line & { userId: number | null })[] = [];
    for (const given of lines) {
      const { line, tag, user } = given;
      const refuse = (reason: CardProblem) => problems.push({ line, reason });
      const userId = user === null ? null : /^(\+\d{5,15}|\d{1,16})$/.test(user) ? await userOf(user) : undefined;
      if (!CardTag.safeParse(tag).success) refuse('bad_number');
      else if (seen.has(tag)) refuse('repeated');
      else if (userId === undefined) refuse('bad_user');
      else if (user !== null && userId === null) refuse('unknown_user');
      else cards.push({ ...given, userId });
      seen.add(tag);
    }
    return { problems, cards };
  }

  return {
    async issue(staff, text) {
      const { problems, cards } = await checked(linesOf(text));
      return steps.run(async (step) => {
        const known = await step.db
          .selectFrom('rfid_cards')
          .select('id_tag')
          .where('id_tag', 'in', ['', ...cards.map(({ tag }) => tag)])
          .execute();
        const exists = cards.filter(({ tag }) => known.some(({ id_tag }) => id_tag === tag));
        const all = [...problems, ...exists.map(({ line }) => ({ line, reason: 'exists' as const }))];
        if (all.length > 0 || cards.length === 0) {
          noRecord('unchanged');
          return { issued: 0, problems: all.toSorted((a, b) => a.line - b.line) };
        }
        const rows = await step.db
          .insertInto('rfid_cards')
          .values(cards.map(({ tag, userId }) => ({ id_tag: tag, user_id: userId, created_at: clock.now() })))
          .returning(['id', 'user_id'])
          .execute();
        for (const { id, user_id } of rows) {
          await audit(step, { staff, action: 'card.issue', subject: subject(id), after: { user: user_id } });
          if (user_id !== null) step.publish('rfid-card-added', `${user_id}:${id}`);
        }
        return { issued: rows.length, problems: [] };
      });
    },

    async bind(staff, id, user) {
      const userId = user === null ? null : await userOf(user);
      if (user !== null && userId === null) throw new Refusal('user_not_found');
      await steps.run(async (step) => {
        const card = await lock(step, id);
        // A card moves from one driver to another in two steps, so that it never happens by a typing error.
        const isPossible = userId === null ? card.user_id !== null : card.user_id === null && card.blocked_at === null;
        if (!isPossible) throw new Refusal('action_not_applicable');
        await step.db.updateTable('rfid_cards').set({ user_id: userId }).where('id', '=', id).execute();
        if (card.user_id !== null) step.publish('rfid-card-deleted', `${card.user_id}:${id}`);
        if (userId !== null) step.publish('rfid-card-added', `${userId}:${id}`);
        const [before, after] = [{ user: card.user_id }, { user: userId }];
        await audit(step, { staff, action: 'card.bind', subject: subject(id), before, after });
      });
    },

    setBlocked: (staff, id, isBlocked) =>
      steps.run(async (step) => {
        const card = await lock(step, id);
        if ((card.blocked_at !== null) === isBlocked) throw new Refusal('action_not_applicable');
        const blockedAt = isBlocked ? clock.now() : null;
        await step.db.updateTable('rfid_cards').set({ blocked_at: blockedAt }).where('id', '=', id).execute();
        const action = isBlocked ? 'card.block' : 'card.unblock';
        await audit(step, { staff, action, subject: subject(id), after: { is_blocked: isBlocked } });
      }),
  };
}
