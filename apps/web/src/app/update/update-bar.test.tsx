import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { chooseLanguage } from '../../i18n/i18n.ts';
import { renderPart } from '../../testing/render.tsx';
import { startServiceWorker, useUpdate } from './service-worker.ts';
import { UpdateBar } from './update-bar.tsx';

afterEach(() => {
  useUpdate.setState({ activate: null });
  vi.restoreAllMocks();
});

/** The browser's state of our service worker. */
function aContainer({ hasController = true, waiting = null as { postMessage: () => void } | null } = {}) {
  const registration = Object.assign(new EventTarget(), { waiting, installing: new EventTarget(), update: vi.fn() });
  const container = Object.assign(new EventTarget(), {
    controller: hasController ? {} : null,
    register: vi.fn(async () => registration),
  });
  return { registration, container: container as unknown as ServiceWorkerContainer };
}

const bar = () => screen.queryByRole('status');

describe('a new release', () => {
  it.each([
    ['uk', 'Є нова версія', 'Оновити'],
    ['en', 'A new version is ready', 'Refresh'],
    ['pl', 'Jest nowa wersja', 'Odśwież'],
  ] as const)('is offered in %s and takes over only when the driver confirms', async (language, words, button) => {
    await chooseLanguage(language);
    const { registration, container } = aContainer();
    renderPart(<UpdateBar />);
    await act(() => startServiceWorker(container));
    expect(bar()).toBeNull();

    const postMessage = vi.fn();
    registration.dispatchEvent(new Event('updatefound'));
    registration.waiting = { postMessage };
    act(() => void registration.installing.dispatchEvent(new Event('statechange')));
    expect(bar()?.textContent).toContain(words);
    expect(postMessage).not.toHaveBeenCalled();
    fireEvent.click(screen.getByRole('button', { name: button }));
    expect(postMessage).toHaveBeenCalledExactlyOnceWith('take-over');
  });

  it('that waited since the last visit is offered at once', async () => {
    const { container } = aContainer({ waiting: { postMessage: vi.fn() } });
    renderPart(<UpdateBar />);
    await act(() => startServiceWorker(container));
    expect(bar()).not.toBeNull();
  });

  it('is not offered on the first visit', async () => {
    const { container } = aContainer({ hasController: false, waiting: { postMessage: vi.fn() } });
    renderPart(<UpdateBar />);
    await act(() => startServiceWorker(container));
    expect(bar()).toBeNull();
  });
});

describe('a browser that refuses to cache the app', () => {
  it('opens it nevertheless', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { container } = aContainer();
    vi.spyOn(container, 'register').mockRejectedValue(new DOMException('no', 'SecurityError'));
    await startServiceWorker(container);
    await startServiceWorker(undefined);
    expect(warn).toHaveBeenCalledOnce();
  });
});
