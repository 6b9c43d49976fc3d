import { apiErrorOf, NetworkError } from './errors.ts';

interface Parts {
  fetch: typeof fetch;
  /** `document.cookie`, read anew each time: every answer of the server may have changed it. */
  cookies: () => string;
}

export type Csrf = ReturnType<typeof createCsrf>;

/** The token that proves a request comes from our own page. It travels as a cookie; requests carry it as a header too. */
export function createCsrf({ fetch, cookies }: Parts) {
  let asking: Promise<void> | null = null;

  async function ask(): Promise<void> {
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
    asking ??= ask().finally(() => {
      asking = null;
    });
    return asking;
  }

  return {
    refresh,
    async token(): Promise<string> {
      // A refresh under way is about to replace the token: signing with the old one would only be refused.
      if (asking || !cookieNamed('XSRF-TOKEN', cookies())) await refresh();
      const token = cookieNamed('XSRF-TOKEN', cookies());
      if (!token) throw new Error('The browser keeps no cookies for this site, so nothing can be sent');
      return token;
    },
  };
}

function cookieNamed(name: string, cookies: string): string | null {
  const pair = cookies.split('; ').find((cookie) => cookie.startsWith(`${name}=`));
  return pair ? decodeURIComponent(pair.slice(name.length + 1)) : null;
}
