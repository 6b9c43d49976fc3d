import type { Endpoint } from '@fpay/contract/endpoint';

interface Given {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
}

/** Where a call goes: `path` is what gets signed, `url` what gets fetched. */
export function addressOf(endpoint: Pick<Endpoint, 'path'>, { params = {}, query = {} }: Given) {
  const path = endpoint.path.replace(/:(\w+)/g, (_, name: string) => {
    const value = params[name];
    if (value === undefined) throw new Error(`${endpoint.path} was called without ${name}`);
    return encodeURIComponent(String(value));
  });
  const search = new URLSearchParams(
    Object.entries(query).flatMap(([name, value]) =>
      value === undefined || value === null ? [] : [[name, `${value}`]],
    ),
  ).toString();
  return { path, url: search ? `${path}?${search}` : path };
}
