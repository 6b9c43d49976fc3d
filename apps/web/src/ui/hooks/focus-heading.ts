/**
 * Moves the focus to the heading of the page, so that a screen reader begins there. Returns false while the page has no
 * heading.
 */
export function focusHeading(): boolean {
  const heading = document.querySelector<HTMLElement>('main h1');
  if (!heading) return false;
  heading.tabIndex = -1;
  heading.focus({ preventScroll: true });
  return true;
}
