const storageKey = 'fpay.asked-page';

/**
 * Stores the page that sign-in interrupted. It is stored for the tab, so that it survives sign-up with its SMS code and
 * a reload.
 */
export function rememberReturnTo(path: string): void {
  sessionStorage.setItem(storageKey, path);
}

export function returnTo(): string | null {
  return sessionStorage.getItem(storageKey);
}

/** Where sign-in leads: once to the stored page, otherwise to the account. */
export function takeReturnTo(): string {
  const page = returnTo();
  sessionStorage.removeItem(storageKey);
  return page ?? '/account';
}

export interface RequestedStation {
  kind: 'real' | 'virtual';
  number: string;
}

/** The station whose page was stored. Only such a page can be used without an account. */
export function requestedStation(): RequestedStation | null {
  const [, virtual, number] = /^\/station\/(v\/)?([^/?#]+)/.exec(returnTo() ?? '') ?? [];
  return number ? { kind: virtual ? 'virtual' : 'real', number } : null;
}

export function returnToStation(): string | null {
  return requestedStation()?.number ?? null;
}
