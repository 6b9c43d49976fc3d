import { identifier, integer } from '../values.ts';

/** A lifetime register in Wh. No charge point reaches 1 TWh; a larger number comes from uninitialised memory. */
export const MAX_METER_WH = 1_000_000_000_000;

/** A register never goes below zero; some charge points send -1 for an unknown value. */
export const meterWh = integer({ min: 0, max: MAX_METER_WH });

/**
 * Our ids start at 1. 0 and -1 come from charge points that never got an id; such transactions are matched by connector
 * and time.
 */
export const transactionId = identifier({ min: 1 });
