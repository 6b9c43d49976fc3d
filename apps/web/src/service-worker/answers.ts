/** What answers need of the worker's surroundings; tests give them their own. */
export interface Shell {
  /** The page without anybody's data in it. */
  page: string;
  open(): Promise<Pick<Cache, 'match' | 'put'>>;
  fetch(request: Request): Promise<Response>;
}

/** A network that has not sent the first byte of a page by then is no network: the shell can at least say so. */
const patienceMs = 5000;

/** The page as the server makes it, with its first data in it; the kept shell when nobody answers. */
export async function answerNavigation(
  shell: Shell,
  request: Request,
  preloaded: Promise<Response | undefined> = Promise.resolve(undefined),
): Promise<Response> {
  const kept = shell.open().then((cache) => cache.match(shell.page));
  const fromNetwork = preloaded.then((response) => response ?? shell.fetch(request));
  const late = new Promise<null>((resolve) => setTimeout(resolve, patienceMs, null));
  const answered = await Promise.race([fromNetwork.catch(() => null), late]);
  return answered ?? (await kept) ?? fromNetwork;
}

/** A file of the build never changes under its name: once fetched it is kept. */
export async function answerFromCache(shell: Shell, request: Request): Promise<Response> {
  const cache = await shell.open();
  const kept = await cache.match(request.url);
  if (kept) return kept;
  const response = await shell.fetch(request);
  if (response.ok && response.type === 'basic') await cache.put(request.url, response.clone());
  return response;
}
