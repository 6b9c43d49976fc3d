import { useMatches } from '../../router/index.ts';
import type { Header } from '../routes/page.ts';

/** The header that the page's route declares. */
export function useHeader(): Header {
  const handles = useMatches().map(({ handle }) => handle as { header?: Header } | undefined);
  return handles.findLast((handle) => handle?.header)?.header ?? 'bar';
}
