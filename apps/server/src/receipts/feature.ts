import { createOperationReadings } from '../charging/curve.ts';
import type { Routes } from '../platform/http/routes.ts';
import type { Platform } from '../platform/platform.ts';
import type { Seller } from './receipt.ts';
import { receiptRoutes } from './routes.ts';
import { createReceiptStore } from './store.ts';

export interface ReceiptDependencies extends Pick<Platform, 'db'> {
  seller: Seller;
  publicUrl: URL;
}

export interface ReceiptFeature {
  routes(routes: Routes): void;
}

/** Receipts of finished charges, wired. */
export function createReceipts({ db, seller, publicUrl }: ReceiptDependencies): ReceiptFeature {
  const receipts = createReceiptStore(db);
  const readings = createOperationReadings(db);
  return { routes: (routes: Routes): void => receiptRoutes(routes, { receipts, readings, seller, publicUrl }) };
}
