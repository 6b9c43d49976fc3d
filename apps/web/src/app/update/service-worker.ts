import { create } from 'zustand';

/** How often an open page checks for a new release, because it may stay open for days. */
const checkIntervalMs = 60 * 60_000;

interface Update {
  /** Activates the waiting release, which reloads the page. */
  activate: (() => void) | null;
}
export const useUpdate = create<Update>(() => ({ activate: null }));

/** Caches the shell on the device, so that the app opens offline; reports a new release. */
export async function startServiceWorker(container: ServiceWorkerContainer | undefined): Promise<void> {
  // Absent over plain http from another host, and where the browser's settings disable it.
  if (!container) return;
  try {
    const registration = await container.register('/sw.js');
    const offer = () => {
      // Without a controller this is the first visit, so the page already has the new release.
      if (registration.waiting && container.controller) offerUpdate(registration.waiting, container);
    };
    offer();
    registration.addEventListener('updatefound', () => {
      registration.installing?.addEventListener('statechange', offer);
    });
    setInterval(() => void registration.update().catch(() => undefined), checkIntervalMs);
  } catch (error) {
    console.warn('service worker not registered', error);
  }
}

function offerUpdate(waiting: ServiceWorker, container: ServiceWorkerContainer): void {
  useUpdate.setState({
    activate() {
      container.addEventListener('controllerchange', () => location.reload(), { once: true });
      waiting.postMessage('take-over');
    },
  });
}
