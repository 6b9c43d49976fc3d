/** A notification as the worker shows it. */
interface Shown {
  title: string;
  options: { body?: string; tag?: string; lang?: string; icon: string; badge: string; data: { path: string } };
}

const icon = '/icon-192.png';
const badge = '/icon-192.png';

/**
 * What to show for a push message. Every message shows something, also one that cannot be read, because browsers withdraw
 * the permission of an app that receives messages silently.
 */
export function notificationOf(text: string | null, origin: string): Shown {
  const { title, body, tag, lang, navigate } = fieldsOf(text);
  return {
    title: typeof title === 'string' && title !== '' ? title : new URL(origin).hostname,
    options: {
      ...(typeof body === 'string' ? { body } : {}),
      ...(typeof tag === 'string' ? { tag } : {}),
      ...(typeof lang === 'string' ? { lang } : {}),
      icon,
      badge,
      data: { path: pagePathOf(navigate, origin) },
    },
  };
}

/** Only a page of ours is opened. */
export function pagePathOf(navigate: unknown, origin: string): string {
  const url = typeof navigate === 'string' && URL.canParse(navigate, origin) ? new URL(navigate, origin) : null;
  return url?.origin === origin ? url.pathname + url.search : '/';
}

export interface PushClients {
  matchAll(options: { type: 'window'; includeUncontrolled: boolean }): Promise<readonly PageClient[]>;
  openWindow(path: string): Promise<unknown>;
}
interface PageClient {
  url: string;
  focus(): Promise<unknown>;
  navigate(path: string): Promise<unknown>;
}

/** Shows the page in an open window, or in a new one. */
export async function openPage(clients: PushClients, path: string): Promise<void> {
  const windows = await clients.matchAll({ type: 'window', includeUncontrolled: true });
  const [exact] = windows.filter(({ url }) => URL.canParse(url) && new URL(url).pathname === path);
  const client = exact ?? windows[0];
  if (!client) return void (await clients.openWindow(path));
  await client.focus();
  // A page that this worker does not control cannot be led elsewhere.
  if (!exact) await client.navigate(path).catch(() => clients.openWindow(path));
}

function fieldsOf(text: string | null): Record<string, unknown> {
  try {
    const { notification } = JSON.parse(text ?? '') as { notification?: Record<string, unknown> };
    return notification ?? {};
  } catch {
    return {};
  }
}
