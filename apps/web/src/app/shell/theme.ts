import { create } from 'zustand';

const themes = ['system', 'light', 'dark'] as const;
export type Theme = (typeof themes)[number];

/** Also read by public/theme.js, before the first paint. */
const storageKey = 'fpay.theme';
const pageColours = { light: '#F2F4F0', dark: '#0A0F0C' };

const useThemeStore = create<{ theme: Theme }>(() => ({ theme: rememberedTheme() }));

export function useTheme(): Theme {
  return useThemeStore(({ theme }) => theme);
}

export function chooseTheme(theme: Theme): void {
  if (theme === 'system') localStorage.removeItem(storageKey);
  else localStorage.setItem(storageKey, theme);
  useThemeStore.setState({ theme });
  showTheme(theme);
}

/** The stylesheet follows the device by itself; a choice of the driver is an attribute on the page. */
function showTheme(theme: Theme): void {
  if (theme === 'system') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  // The browser's own bar gets the colour of the page.
  for (const meta of document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')) {
    const own = meta.media.includes('dark') ? 'dark' : 'light';
    meta.content = pageColours[theme === 'system' ? own : theme];
  }
}

function rememberedTheme(): Theme {
  const stored = localStorage.getItem(storageKey);
  return themes.find((theme) => theme === stored) ?? 'system';
}
