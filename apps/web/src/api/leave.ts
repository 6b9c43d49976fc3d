/** Leaves the app for the bank's page. */
export function leaveFor(url: string): void {
  location.assign(url);
}
