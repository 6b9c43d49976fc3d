import type { Answered, Bench, Reply } from './bench.ts';

export const basketOrder = [{ name: 'Заряджання', qty: 12.5, sum: 2000, code: 'ev', unit: 'кВт·год' }];
export const hold = { amount: 250_00, paymentType: 'hold', merchantPaymInfo: { reference: 'op-1', basketOrder } };

export async function openInvoice(bench: Bench, request: object = hold): Promise<string> {
  const { body } = await bench.merchant('POST', '/invoice/create', request);
  return body.invoiceId;
}

export async function fetchStatus(bench: Bench, id: string): Promise<Answered> {
  return (await bench.merchant('GET', `/invoice/status?invoiceId=${id}`)).body;
}

export function pay(bench: Bench, id: string): Promise<Reply<Answered>> {
  return bench.call('POST', `/bank/invoices/${id}/pay`);
}
