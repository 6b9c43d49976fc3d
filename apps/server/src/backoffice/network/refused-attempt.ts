import type { RefusedAttempt } from '@fpay/contract/admin/network/charge-points';

export type StoredAttempt = Omit<RefusedAttempt, 'first_at' | 'last_at' | 'address'> & {
  address: string;
  first_at: Date;
  last_at: Date;
};

export function attemptOf({ address, first_at, last_at, ...rest }: StoredAttempt): RefusedAttempt {
  return {
    ...rest,
    address: address === '' ? null : address,
    first_at: first_at.toISOString(),
    last_at: last_at.toISOString(),
  };
}
