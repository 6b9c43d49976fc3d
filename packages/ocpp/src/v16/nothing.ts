import { object } from '../schema.ts';

/** The empty payload, which the standard writes as `{}`. */
export const nothing = object({});
