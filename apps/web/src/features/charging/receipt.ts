import { invoice } from '@fpay/contract/payments';
import { addressOf } from '../../api/address.ts';
import { apiErrorOf, NetworkError } from '../../api/errors.ts';
import { saveFile } from '../../ui/format/save-file.ts';

/** Fetches the receipt and saves it as a file. */
export async function saveReceipt(id: number): Promise<void> {
  const { url } = addressOf(invoice, { params: { id } });
  const response = await fetch(url, { credentials: 'include' }).catch((cause: unknown) => {
    throw new NetworkError(`GET ${url}: no answer`, { cause });
  });
  if (!response.ok) throw await apiErrorOf(response);
  saveFile(await response.blob(), `invoice-fpay-${id}.pdf`);
}
