import { answerFromCache, answerNavigation, type Shell } from './answers.ts';
import { notificationOf, openPage, type PushClients, pagePathOf } from './push.ts';

/** The part of a service worker's global scope that is used here; the page's types do not have it. */
interface WorkerScope {
  /** Filled in by the build: the files of the shell and of the driver's main pages. */
  __FILES: { url: string; revision: string | null }[];
  registration: {
    navigationPreload?: { enable(): Promise<void> };
    showNotification(title: string, options: object): Promise<void>;
  };
  clients: PushClients & { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: 'install' | 'activate', listener: (event: ExtendableEvent) => void): void;
  addEventListener(type: 'message', listener: (event: MessageEvent) => void): void;
  addEventListener(type: 'push', listener: (event: PushMessageEvent) => void): void;
  addEventListener(type: 'notificationclick', listener: (event: NotificationPressEvent) => void): void;
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void;
}
interface ExtendableEvent extends Event {
  waitUntil(work: Promise<unknown>): void;
}
interface FetchEvent extends ExtendableEvent {
  request: Request;
  preloadResponse?: Promise<Response | undefined>;
  respondWith(answer: Promise<Response>): void;
}
interface PushMessageEvent extends ExtendableEvent {
  data: { text(): string } | null;
}
interface NotificationPressEvent extends ExtendableEvent {
  notification: { close(): void; data: { path?: unknown } | null };
}
declare const self: WorkerScope;

const files = self.__FILES;
const cachePrefix = 'fpay-shell-';
/** Every release has its own cache; pages of the previous release keep theirs until they are closed or refreshed. */
const cacheName = cachePrefix + shortHash(JSON.stringify(files));
const shell: Shell = {
  page: '/index.html',
  open: () => caches.open(cacheName),
  fetch: (request) => fetch(request),
};

self.addEventListener('install', (event) => {
  event.waitUntil(cacheShell());
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    Promise.all([deleteOlderCaches(), self.registration.navigationPreload?.enable(), self.clients.claim()]),
  );
});

// A new release waits for the driver's confirmation, because a page must not change during a payment.
self.addEventListener('message', ({ data }) => {
  if (data === 'take-over') void self.skipWaiting();
});

self.addEventListener('push', (event) => {
  const { title, options } = notificationOf(event.data?.text() ?? null, location.origin);
  event.waitUntil(self.registration.showNotification(title, options));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  event.waitUntil(openPage(self.clients, pagePathOf(event.notification.data?.path, location.origin)));
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin) return;
  if (request.mode === 'navigate') {
    // The server's own pages, such as its API description, are not part of the app.
    if (!/^\/(api|sanctum|realtime|ocpp|webhooks)(\/|$)/.test(url.pathname))
      event.respondWith(answerNavigation(shell, request, event.preloadResponse));
    return;
  }
  // Only files of the build are cached, never data about stations, money or people.
  if (url.pathname.startsWith('/assets/') || files.some((file) => `/${file.url}` === url.pathname))
    event.respondWith(answerFromCache(shell, request));
});

async function cacheShell(): Promise<void> {
  const cache = await caches.open(cacheName);
  // A file with a hash in its name never changes, so the browser's cached copy is used; others are requested again.
  await cache.addAll(
    files.map(({ url, revision }) => new Request(`/${url}`, { cache: revision === null ? 'default' : 'reload' })),
  );
}

async function deleteOlderCaches(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(cachePrefix) && name !== cacheName).map((name) => caches.delete(name)),
  );
}

/** Distinguishes releases; it does not have to be secure. */
function shortHash(text: string): string {
  let hash = 0;
  for (const character of text) hash = (Math.imul(hash, 31) + character.charCodeAt(0)) | 0;
  return (hash >>> 0).toString(36);
}
