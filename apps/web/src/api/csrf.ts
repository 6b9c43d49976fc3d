import { apiErrorOf, NetworkError } from './errors.ts';

interface Parts {
  fetch: typeof fetch;
  /** `document.cookie`, read each time, because every answer of the server may have changed it. */
  cookies: () => string;
}

export type Csrf = ReturnType<typeof createCsrf>;

/** The token that proves that a request comes from our own page. It arrives as a cookie and is sent as a header too. */
export function createCsrf({ fetch, cookies }: Parts) {
  let refreshing: Promise<void> | null = null;

  async function fetchCookie(): Promise<void> {
    const response = await fetch('/sanctum/csrf-cookie', {
      credentials: 'include',
      headers: { Accept: 'application/json' },
    }).catch((cause) => {
      throw new NetworkError('The CSRF cookie could not be fetched', { cause });
    });
    if (!response.ok) throw await apiErrorOf(response);
  }

  /** Calls that fail together share one request. */
  function refresh(): Promise<void> {
    refreshing ??= fetchCookie().finally(() => {
      refreshing = null;
    });
    return refreshing;
  }

  return {
    refresh,
    async token(): Promise<string> {
      // A running refresh will replace the token, and a request with the old one would be refused.
      if (refreshing || !cookieNamed('XSRF-TOKEN', cookies())) await refresh();
      const token = cookieNamed('XSRF-TOKEN', cookies());
      if (!token) throw new Error('The browser stores no cookies for this site, so nothing can be sent');
      return token;
    },
  };
}

function cookieNamed(name: string, cookies: string): string | null {
  const pair = cookies.split('; ').find((cookie) => cookie.startsWith(`${name}=`));
  return pair ? decodeURIComponent(pair.slice(name.length + 1)) : null;
}
