import { createContext, useContext } from 'react';

/** Opens the menu of the shell, for a page that has a header of its own. */
export const OpenMenuContext = createContext<() => void>(() => undefined);

export function useOpenMenu(): () => void {
  return useContext(OpenMenuContext);
}
