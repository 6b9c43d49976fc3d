import { createContext } from 'react';

/** Opens the menu of the shell; null where there is no shell around the page. */
export const OpenMenuContext = createContext<(() => void) | null>(null);
