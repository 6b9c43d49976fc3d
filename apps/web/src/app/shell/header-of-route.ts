import { useMatches } from '../../router/index.ts';

/**
 * The header of a page: the usual bar, the brand with or without a menu or over a camera, buttons over a map, the
 * page's own `PageTitle`, or the page's own header.
 */
export type Header = 'bar' | 'brand' | 'brandOnly' | 'camera' | 'map' | 'page' | 'none';

/** The header that the page's route declares. */
export function useHeader(): Header {
  const handles = useMatches().map(({ handle }) => handle as { header?: Header } | undefined);
  return handles.findLast((handle) => handle?.header)?.header ?? 'bar';
}
