import type { Step } from '../../platform/step.ts';

/** Keeps what an account no longer has, because a member of staff decides about no money of an account that has had the same contact. */
export async function keepFormer(step: Step, user: number, kind: 'phone' | 'telegram', value: string): Promise<void> {
  await step.db
    .insertInto('former_contacts')
    .values({ user_id: user, kind, value })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}
