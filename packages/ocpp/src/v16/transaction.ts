import { identifier, integer } from '../values.ts';

/** A lifetime register in Wh. No charge point reaches 1 TWh; a larger number comes from uninitialised memory. */
export const MAX_METER_WH = 1_000_000_000_000;

/** Some meters count below zero, for example one of two directions that delivered more than it took. */
export const meterWh = integer({ min: -MAX_METER_WH, max: MAX_METER_WH });

/** Some charge points send -1 for a value that they do not know. */
export const knownMeterWh = (registerWh: number | null): number | null => (registerWh === -1 ? null : registerWh);

/**
 * Our ids start at 1. 0 and -1 come from charge points that never got an id; such transactions are matched by connector
 * and time.
 */
export const transactionId = identifier({ min: 1 });
