import { identifier, integer } from '../values.ts';

/** A lifetime register in Wh. 1 TWh is beyond any charge point: a larger number is rubbish from uninitialised memory. */
export const MAX_METER_WH = 1_000_000_000_000;

/** A register never runs below zero; -1 is what some send for "I do not know". */
export const meterWh = integer({ min: 0, max: MAX_METER_WH });

/** Ours are 1 and up. 0 and -1 come from charge points that never got one, and mean "match me by connector and time". */
export const transactionId = identifier({ min: 1 });
