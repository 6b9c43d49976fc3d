import type { MapTheme } from './palette.ts';

export const darkDevice = '(prefers-color-scheme: dark)';

/** The visible theme: the driver's choice, otherwise the device's. */
export function shownTheme(): MapTheme {
  const { theme } = document.documentElement.dataset;
  if (theme === 'light' || theme === 'dark') return theme;
  return matchMedia(darkDevice).matches ? 'dark' : 'light';
}
