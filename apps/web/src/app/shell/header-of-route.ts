import { useMatches } from '../../router/index.ts';
import type { Header } from '../routes/page.ts';

/** The page's own wish, told by its route. */
export function useHeader(): Header {
  const handles = useMatches().map(({ handle }) => handle as { header?: Header } | undefined);
  return handles.findLast((handle) => handle?.header)?.header ?? 'bar';
}
