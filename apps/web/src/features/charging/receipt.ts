import { invoice } from '@fpay/contract/payments';
import { addressOf } from '../../api/address.ts';
import { apiErrorOf, NetworkError } from '../../api/errors.ts';

/** Fetches the receipt and hands it to the browser as a file. */
export async function saveReceipt(id: number): Promise<void> {
  const { url } = addressOf(invoice, { params: { id } });
  const response = await fetch(url, { credentials: 'include' }).catch((cause: unknown) => {
    throw new NetworkError(`GET ${url}: no answer`, { cause });
  });
  if (!response.ok) throw await apiErrorOf(response);
  save(await response.blob(), `invoice-fpay-${id}.pdf`);
}

function save(file: Blob, name: string): void {
  const address = URL.createObjectURL(file);
  const link = document.createElement('a');
  link.href = address;
  link.download = name;
  link.click();
  // Some browsers read it only after this turn.
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
