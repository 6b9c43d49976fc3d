import { invoice } from '@fpay/contract/payments';
import type { OperationReadings } from '../charging/curve.ts';
import { maySee } from '../charging/may-see.ts';
import type { Routes } from '../platform/http/routes.ts';
import { Refusal } from '../platform/refusal.ts';
import { drawReceipt } from './draw.ts';
import { fileNameOf, type Receipt, type Seller } from './receipt.ts';
import type { ReceiptStore } from './store.ts';

interface Dependencies {
  receipts: ReceiptStore;
  readings: OperationReadings;
  seller: Seller;
  publicUrl: URL;
}

export function receiptRoutes(routes: Routes, { receipts, readings, seller, publicUrl }: Dependencies): void {
  routes.on(invoice, async ({ params, viewer, http }) => {
    const found = await receipts.find(params.id);
    if (!maySee(found, viewer)) throw new Refusal('not_found');
    if (!found.receipt) throw new Refusal('no_receipt');
    const url = new URL(`/status/${params.id}`, publicUrl).href;
    const receipt = { ...found.receipt, ...(await measured(params.id)) };
    const pdf = await drawReceipt(receipt, seller, url);
    return http.reply
      .type('application/pdf')
      .header('content-disposition', `attachment; filename="${fileNameOf(params.id)}"`)
      .send(pdf) as never;
  });

  async function measured(id: number): Promise<Pick<Receipt, 'soc' | 'curve'>> {
    const [{ beganAt, seconds, powerW }, { first, last }] = await Promise.all([
      readings.curve(id),
      readings.stateOfCharge(id),
    ]);
    return {
      soc: first === null || last === null ? null : { first, last },
      curve: beganAt && { beganAt, seconds, powerW },
    };
  }
}
