import * as z from 'zod/mini';
import { ConnectorType } from './connectors.ts';
import { Kopecks } from './money.ts';

/** A connector that a driver could use instead. */
export const FreeConnector = z.object({
  /** The number of its station. */
  number: z.string(),
  /** The connector's number at its station. */
  api_address: z.string(),
  type: ConnectorType,
  address: z.string(),
  address_uk: z.string(),
  /** A kWh there costs this now. */
  price: Kopecks,
  /** Metres from the place that was asked for. */
  distance: z.int(),
});
export type FreeConnector = z.infer<typeof FreeConnector>;
