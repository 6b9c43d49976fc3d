import { create } from 'zustand';

/** How often a page that stays open asks whether there is a new release: it may stay open for days. */
const askEveryMs = 60 * 60_000;

interface Update {
  /** Has the waiting release take over, which loads the page anew. */
  take: (() => void) | null;
}
export const useUpdate = create<Update>(() => ({ take: null }));

/** Keeps the shell on the device, so that the app opens without a network; tells when a new release is there. */
export async function startServiceWorker(container: ServiceWorkerContainer | undefined): Promise<void> {
  // Absent over plain http from another host, and where the browser's settings forbid it.
  if (!container) return;
  try {
    const registration = await container.register('/sw.js');
    const offer = () => {
      // Without a controller this is the first visit: nothing old is on the screen.
      if (registration.waiting && container.controller) offerUpdate(registration.waiting, container);
    };
    offer();
    registration.addEventListener('updatefound', () => {
      registration.installing?.addEventListener('statechange', offer);
    });
    setInterval(() => void registration.update().catch(() => undefined), askEveryMs);
  } catch (error) {
    console.warn('The app will not open without a network', error);
  }
}

function offerUpdate(waiting: ServiceWorker, container: ServiceWorkerContainer): void {
  useUpdate.setState({
    take() {
      container.addEventListener('controllerchange', () => location.reload(), { once: true });
      waiting.postMessage('take-over');
    },
  });
}
