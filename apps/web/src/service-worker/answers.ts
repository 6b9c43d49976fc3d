/** The worker's environment; tests pass their own. */
export interface Shell {
  /** The page without data of a user. */
  page: string;
  open(): Promise<Pick<Cache, 'match' | 'put'>>;
  fetch(request: Request): Promise<Response>;
}

/**
 * When the first byte of a page takes longer, the network is treated as down, because the shell can at least show that.
 */
const networkTimeoutMs = 5000;

/** The page from the server with its first data, or the cached shell when there is no answer. */
export async function answerNavigation(
  shell: Shell,
  request: Request,
  preloaded: Promise<Response | undefined> = Promise.resolve(undefined),
): Promise<Response> {
  const cached = shell.open().then((cache) => cache.match(shell.page));
  const fromNetwork = preloaded.then((response) => response ?? shell.fetch(request));
  const late = new Promise<null>((resolve) => setTimeout(resolve, networkTimeoutMs, null));
  const answered = await Promise.race([fromNetwork.catch(() => null), late]);
  return answered ?? (await cached) ?? fromNetwork;
}

/** A file of the build never changes under its name, so it is cached once it was loaded. */
export async function answerFromCache(shell: Shell, request: Request): Promise<Response> {
  const cache = await shell.open();
  const kept = await cache.match(request.url);
  if (kept) return kept;
  const response = await shell.fetch(request);
  if (response.ok && response.type === 'basic') await cache.put(request.url, response.clone());
  return response;
}
