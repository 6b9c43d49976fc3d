const storageKey = 'fpay.asked-page';

/** The page that sign-in interrupted. Kept for the tab, so that it outlives sign-up with its SMS code and a reload. */
export function rememberAskedPage(path: string): void {
  sessionStorage.setItem(storageKey, path);
}

export function askedPage(): string | null {
  return sessionStorage.getItem(storageKey);
}
