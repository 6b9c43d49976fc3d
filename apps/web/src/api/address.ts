import type { Endpoint } from '@fpay/contract/endpoint';

interface Given {
  params?: Record<string, unknown>;
  query?: Record<string, unknown>;
}

/** The address of a call: `path` is signed, `url` is requested. */
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
