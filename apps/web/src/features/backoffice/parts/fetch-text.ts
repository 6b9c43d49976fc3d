import type { Endpoint } from '@fpay/contract/endpoint';
import { addressOf } from '../../../api/address.ts';
import { apiErrorOf, NetworkError } from '../../../api/errors.ts';

/** Reads a plain text, such as a log. `call` reads only JSON. */
export async function fetchText(
  endpoint: Pick<Endpoint, 'path'>,
  params: Record<string, string>,
  signal?: AbortSignal,
): Promise<string> {
  const { url } = addressOf(endpoint, { params });
  const response = await fetch(url, { credentials: 'include', ...(signal && { signal }) }).catch((cause: unknown) => {
    if (signal?.aborted) throw cause;
    throw new NetworkError(`GET ${url}: no answer`, { cause });
  });
  if (!response.ok) throw await apiErrorOf(response);
  return response.text();
}
