import type { Language } from '@fpay/contract/person';
import type { Page } from '@playwright/test';

/**
 * Language, theme, and the width where it is not that of a usual phone: the narrowest one, or a computer. `large` is a
 * usual phone whose user has set the text to twice its size.
 */
export type Look = `${Language} ${'light' | 'dark'}${'' | ' 320' | ' 1280' | ' 1440' | ' large'}`;

export interface Screen {
  /** The name of the picture. */
  name: string;
  path: string;
  /** The phone number of the user; without it, a visitor. */
  as?: string;
  looks: readonly Look[];
  /** Runs once before the first picture. */
  before?: (page: Page) => Promise<unknown>;
  /** Runs before every picture. */
  act?: (page: Page) => Promise<unknown>;
}
