import fc from 'fast-check';
import type { ColourAction } from './colour-model.ts';

const member = fc.nat({ max: 1 });
const amount = fc.integer({ min: 1, max: 40_00 });

/** Sequences of two colluding members, an owner and the bank. */
export const colourActions = (length: { minLength: number; maxLength: number }): fc.Arbitrary<ColourAction[]> =>
  fc.array(
    fc.oneof(
      fc.record({ kind: fc.constantFrom('topUpOwner' as const, 'topUp' as const), member, amount }),
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('ownerGives' as const), member, amount }) },
      fc.record({ kind: fc.constantFrom('givesToOwner' as const, 'chargeback' as const), member, amount }),
      { weight: 3, arbitrary: fc.record({ kind: fc.constant('gives' as const), member, to: member, amount }) },
      {
        weight: 3,
        arbitrary: fc.record({ kind: fc.constant('charge' as const), member, amount, total: fc.nat({ max: 40_00 }) }),
      },
      {
        weight: 3,
        arbitrary: fc.record({
          kind: fc.constantFrom('correct' as const, 'reward' as const),
          charge: fc.nat({ max: 3 }),
          amount,
        }),
      },
      { weight: 2, arbitrary: fc.record({ kind: fc.constantFrom('leave' as const, 'join' as const), member }) },
    ),
    length,
  );
