import { randomBytes } from 'node:crypto';

/** Without letters that look like others on a device's display. */
const letters = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789';

/** The tag of one remote start: 80 random bits in 18 characters, within the 20 that OCPP 1.6 allows. */
export function singleUseTag(): string {
  return `FP${[...randomBytes(16)].map((byte) => letters[byte % letters.length]).join('')}`;
}
