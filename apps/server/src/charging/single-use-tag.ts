import { randomBytes } from 'node:crypto';

/** No letter that a device's display or a person may take for another. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** The tag of one remote start: 80 random bits in 18 characters, within the 20 that OCPP 1.6 allows. */
export function singleUseTag(): string {
  return `FP${[...randomBytes(16)].map((byte) => letters[byte % letters.length]).join('')}`;
}
