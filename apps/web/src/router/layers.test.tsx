import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { memoryEntries } from './history.ts';
import {
  createBrowserRouter,
  createMemoryRouter,
  type DataRouter,
  Link,
  RouterProvider,
  useBlocker,
  useLayer,
} from './index.ts';
import { createPageHistory } from './layers.ts';

/** A router listens for ever; the one of an earlier test must not react to the moves of a later one. */
let listening: EventListenerOrEventListenerObject[] = [];

function stopListening() {
  for (const listener of listening) window.removeEventListener('popstate', listener);
  listening = [];
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const add = window.addEventListener.bind(window);
  vi.spyOn(window, 'addEventListener').mockImplementation((type, listener, options) => {
    if (type === 'popstate') listening.push(listener);
    add(type, listener, options);
  });
});
afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
  stopListening();
  vi.useRealTimers();
});

/** A page with an overlay, which may have another one over it. */
function Page({ name, refuses = false }: { name: string; refuses?: boolean }) {
  const [depth, setDepth] = useState(0);
  useLayer(depth > 0, () => refuses || setDepth(0));
  useLayer(depth > 1, () => setDepth(1));
  return (
    <>
      <h1>{`${name} ${depth}`}</h1>
      <button type="button" onClick={() => setDepth((now) => now + 1)}>
        open
      </button>
      <button type="button" onClick={() => setDepth((now) => now - 1)}>
        close
      </button>
      <Link to="/next">next</Link>
      <Link to="/next" replace>
        instead
      </Link>
    </>
  );
}

const routes = [
  { path: '/', element: <Page key="first" name="first" /> },
  { path: '/map', element: <Page key="map" name="map" /> },
  { path: '/next', element: <Page key="next" name="next" /> },
  { path: '/sending', element: <Page key="sending" name="sending" refuses /> },
];

const settle = () => act(() => vi.advanceTimersByTimeAsync(400));
async function press(name: string) {
  await act(async () => void fireEvent.click(screen.getByText(name)));
  await settle();
}
const heading = () => screen.getByRole('heading').textContent;

async function show(router: DataRouter) {
  await act(async () => void render(<RouterProvider router={router} />));
  return async () => {
    await act(async () => void (await router.navigate(-1)));
    await settle();
  };
}

/** Opens the addresses one after another; the result is what the user's Back button does. */
async function visit(...paths: string[]) {
  const entries = createMemoryRouter(routes, { initialEntries: paths });
  await show(entries);
  return entries;
}

/**
 * jsdom moves through its history in tasks of its own, as browsers do. The timers of the router stay fake meanwhile: a
 * real one would run in a later test and remove the entries of its overlays.
 */
async function moved(move: () => void) {
  const arrival = new Promise((resolve) => addEventListener('popstate', resolve, { once: true }));
  await act(async () => move());
  await settle();
  await act(async () => void (await arrival));
  await settle();
}

/** Returns the length of the history. */
async function start(path = '/map') {
  history.pushState(null, '', '/before');
  history.pushState(null, '', path);
  await show(createBrowserRouter(routes));
  return history.length;
}

describe('Back in a history of the browser', () => {
  it('closes the overlay and stays on the page; the next one leaves it', async () => {
    await start();
    await press('open');
    expect(history.state.depth).toBe(1);
    await moved(() => history.back());
    expect([heading(), location.pathname, history.state.depth]).toEqual(['map 0', '/map', 0]);
  });

  it('closes only the top one of two', async () => {
    await start();
    await press('open');
    await press('open');
    expect([heading(), history.state.depth]).toEqual(['map 2', 2]);
    await moved(() => history.back());
    expect([heading(), history.state.depth]).toEqual(['map 1', 1]);
    await moved(() => history.back());
    expect([heading(), history.state.depth]).toEqual(['map 0', 0]);
  });

  it('finds no entry of an overlay that was closed by its button', async () => {
    await start();
    await press('open');
    await moved(() => fireEvent.click(screen.getByText('close')));
    expect([heading(), history.state.depth]).toEqual(['map 0', 0]);
  });

  it('after Forward to a closed overlay the page is still the one below it', async () => {
    await start();
    await press('open');
    await moved(() => history.back());
    await moved(() => history.forward());
    await vi.waitFor(() => expect(history.state.depth).toBe(0));
    expect(heading()).toBe('map 0');
  });

  it('a page opened from an overlay takes the place of its entry', async () => {
    const length = await start();
    await press('open');
    await press('next');
    expect([heading(), location.pathname, history.state.depth, history.length]).toEqual([
      'next 0',
      '/next',
      0,
      length + 1,
    ]);
    await moved(() => history.back());
    expect([heading(), location.pathname]).toEqual(['map 0', '/map']);
  });

  it('a reload with an open overlay shows the page below it', async () => {
    await start();
    await press('open');
    // The page before the reload is gone with all of its code.
    stopListening();
    cleanup();
    vi.useRealTimers();
    const router = createBrowserRouter(routes);
    await act(async () => void render(<RouterProvider router={router} />));
    await vi.waitFor(() => expect(history.state.depth).toBe(0));
    expect([heading(), location.pathname]).toEqual(['map 0', '/map']);
  });
});

describe('an overlay', () => {
  it('that ignores Back while it sends something gets its entry again', async () => {
    await start('/sending');
    await press('open');
    await moved(() => history.back());
    await vi.waitFor(() => expect(history.state.depth).toBe(1));
    expect([heading(), location.pathname]).toEqual(['sending 1', '/sending']);
  });

  it('that closes slowly after a second Back gets no entry because of the first one', () => {
    const entries = memoryEntries(['/map']);
    const { openLayer } = createPageHistory(entries);
    openLayer(() => undefined);
    const closeUpper = openLayer(() => closeUpper());
    vi.advanceTimersByTime(400);
    entries.go(-1);
    vi.advanceTimersByTime(290);
    entries.go(-1);
    vi.advanceTimersByTime(20);
    expect(entries.depth).toBe(0);
  });

  it('that is closed by the user leaves the history as it was', async () => {
    const router = await visit('/', '/map');
    await press('open');
    await press('open');
    await press('close');
    await press('close');
    await act(async () => void (await router.navigate(-1)));
    expect(heading()).toBe('first 0');
  });

  it('is passed by a page that navigates back while it is open', async () => {
    const router = await visit('/', '/map');
    await press('open');
    await act(async () => void (await router.navigate(-1)));
    expect(heading()).toBe('first 0');
  });

  it('gives its place to the page that replaces the one below it', async () => {
    const router = await visit('/', '/map');
    await press('open');
    await press('open');
    await press('instead');
    expect(heading()).toBe('next 0');
    await act(async () => void (await router.navigate(-1)));
    expect(heading()).toBe('first 0');
  });
});

describe('a page with unsaved changes', () => {
  function Form() {
    const blocker = useBlocker(true);
    useLayer(blocker.state === 'blocked', () => blocker.reset?.());
    return (
      <>
        <h1>form {blocker.state}</h1>
        <button type="button" onClick={() => blocker.proceed?.()}>
          leave
        </button>
      </>
    );
  }

  it('asks in an overlay of its own, and leaves to the page before it', async () => {
    history.pushState(null, '', '/form');
    const router = createMemoryRouter([...routes, { path: '/form', element: <Form /> }], {
      initialEntries: ['/', '/map', '/form'],
    });
    const goBack = await show(router);
    await goBack();
    expect(heading()).toBe('form blocked');
    await press('leave');
    expect(heading()).toBe('map 0');
    await goBack();
    expect(heading()).toBe('first 0');
  });
});
