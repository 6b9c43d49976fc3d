const storageKey = 'fpay.asked-page';

/** The page that sign-in interrupted. Kept for the tab, so that it outlives sign-up with its SMS code and a reload. */
export function rememberAskedPage(path: string): void {
  sessionStorage.setItem(storageKey, path);
}

export function askedPage(): string | null {
  return sessionStorage.getItem(storageKey);
}

/** Where sign-in leads: to the page that was asked for, once; to the account when there was none. */
export function takeAskedPage(): string {
  const page = askedPage();
  sessionStorage.removeItem(storageKey);
  return page ?? '/account';
}

/** The number of the station whose page was asked for. Only such a page can be used without an account. */
export function askedStation(): string | null {
  const [, number] = /^\/station\/(?:v\/)?([^/?#]+)/.exec(askedPage() ?? '') ?? [];
  return number ?? null;
}
