import { sql } from 'kysely';
import type { Clock } from '../../platform/clock.ts';
import type { DueKind } from '../../platform/jobs/due-work.ts';
import type { Step } from '../../platform/step.ts';

/**
 * What may be wanted of a device that is not connected, each kind with the table of its subject. The gateway does not know the
 * features that want something: the product declares the kinds by merging them into this interface (`seams.ts`).
 */
// biome-ignore lint/suspicious/noEmptyInterface: the product adds the members by declaration merging
export interface DeviceWishes {}

export type WishKind = keyof DeviceWishes;

export interface DeviceWish {
  chargePointId: number;
  kind: WishKind;
  subject: number;
}

/** `keep`: it is decided again at the next connect, or at a time. `done`: nothing is wanted any more. */
export type WishDecision = 'done' | 'keep' | { keepUntil: Date };

export interface WishKindRules {
  /** How long after a connect it is decided, so that the queue of the device counts. At once when omitted. */
  afterConnectMs?: number;
  /** Takes the locks that other steps take before they come to a wish, so that none waits for the other. */
  lock?(step: Step, wish: DeviceWish): Promise<unknown>;
  /** Looks at the present state, and enqueues a command when it is still right. */
  decide(step: Step, wish: DeviceWish): Promise<WishDecision>;
}

export type WishRules = Readonly<Record<WishKind, WishKindRules>>;

/**
 * Work that shall be done when a device is connected. A command that was not sent ends as `offline` and is never sent later,
 * because by then it may be wrong. What is still wanted is a wish: each connect makes it due, and then it is decided from the
 * present state.
 */
export interface Wishes {
  due: DueKind;
  /** In the caller's own step. Wanting the same again changes nothing but the time of the next decision. */
  want(step: Step, wish: DeviceWish & { decideAt?: Date; wantedUntil?: Date }): Promise<void>;
  forget(step: Step, wish: Pick<DeviceWish, 'kind' | 'subject'>): Promise<void>;
  /** Sockets of these devices were opened. */
  connected(step: Step, chargePointIds: readonly number[]): Promise<void>;
}

interface Dependencies {
  clock: Clock;
  /** A function, because the features that want something need the commands first. */
  rules: () => WishRules;
  /** Called after the commit that made a wish due. */
  wakeDue: () => void;
}

interface WishRow {
  charge_point_id: number;
  kind: WishKind;
  subject: number;
  wanted_until: Date | null;
}

export function createWishes({ clock, rules, wakeDue }: Dependencies): Wishes {
  // A node of another version may want something of a kind that this one does not know.
  const rulesOf = (kind: WishKind): WishKindRules | undefined => (rules() as Partial<WishRules>)[kind];

  const delays = () =>
    JSON.stringify(
      Object.fromEntries(Object.entries(rules()).map(([kind, { afterConnectMs = 0 }]) => [kind, afterConnectMs])),
    );

  async function find(step: Step, id: number): Promise<(DeviceWish & { wantedUntil: Date | null }) | null> {
    const { rows } = await sql<WishRow>`
      select charge_point_id, kind, subject, wanted_until from device_wishes where id = ${id}`.execute(step.db);
    const row = rows[0];
    if (!row) return null;
    const { charge_point_id: chargePointId, kind, subject, wanted_until: wantedUntil } = row;
    return { chargePointId, kind, subject, wantedUntil };
  }

  async function decide(step: Step, wish: DeviceWish & { wantedUntil: Date | null }): Promise<WishDecision> {
    if (wish.wantedUntil !== null && wish.wantedUntil <= clock.now()) return 'done';
    // Thrown, so that the row stays due until a node that knows the kind decides it.
    const kind = rulesOf(wish.kind);
    if (!kind) throw new Error(`Wishes of the kind ${wish.kind} have no rules`);
    return kind.decide(step, wish);
  }

  return {
    due: {
      name: 'device-wish',
      table: 'device_wishes',
      async lockFirst(step, id) {
        const wish = await find(step, id);
        if (wish) await rulesOf(wish.kind)?.lock?.(step, wish);
      },
      async act(step, id) {
        const wish = await find(step, id);
        if (!wish) return;
        const decision = await decide(step, wish);
        if (decision === 'done') {
          await step.db.deleteFrom('device_wishes').where('id', '=', id).execute();
          return;
        }
        const next_action_at = decision === 'keep' ? null : decision.keepUntil;
        await step.db.updateTable('device_wishes').set({ next_action_at }).where('id', '=', id).execute();
      },
    },

    async want(step, { chargePointId, kind, subject, decideAt, wantedUntil }) {
      await sql`
        insert into device_wishes (charge_point_id, kind, subject, created_at, wanted_until, next_action_at)
        values (${chargePointId}, ${kind}, ${subject}, ${clock.now()}, ${wantedUntil ?? null}, ${decideAt ?? null})
        on conflict (kind, subject, charge_point_id) do update set wanted_until = excluded.wanted_until,
          next_action_at = coalesce(excluded.next_action_at, device_wishes.next_action_at)`.execute(step.db);
      if (decideAt !== undefined && decideAt <= clock.now()) step.afterCommit(wakeDue);
    },

    async forget(step, { kind, subject }) {
      await step.db.deleteFrom('device_wishes').where('kind', '=', kind).where('subject', '=', subject).execute();
    },

    async connected(step, chargePointIds) {
      const { numAffectedRows } = await sql`
        update device_wishes
        set next_action_at = ${clock.now()}::timestamptz + coalesce((${delays()}::jsonb ->> kind)::float8, 0) * interval '1 ms'
        where charge_point_id = any(${chargePointIds}::bigint[])`.execute(step.db);
      if (numAffectedRows) step.afterCommit(wakeDue);
    },
  };
}
