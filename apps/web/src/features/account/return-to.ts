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

/** The page that each visit of sign-in was opened for, by the key of its history entry. */
const pages = new Map<string, string | null>();

/**
 * The station at an entry of the history: a visitor who tries one number after another stays on the sign-in page, and Back
 * leads to the number before.
 */
export function requestedStationAt(key: string): RequestedStation | null {
  const page = pages.get(key);
  if (page) rememberReturnTo(page);
  pages.set(key, returnTo());
  return requestedStation();
}

export function returnToStation(): string | null {
  return requestedStation()?.number ?? null;
}
