import { act, cleanup, fireEvent, render, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  createBrowserRouter,
  createMemoryRouter,
  data,
  isRouteErrorResponse,
  Link,
  Navigate,
  Outlet,
  type RouteObject,
  RouterProvider,
  redirect,
  replace,
  useBlocker,
  useLoaderData,
  useLocation,
  useParams,
  useRouteError,
  useSearchParams,
} from './index.ts';

afterEach(cleanup);

/** A promise that the test resolves. */
function later<T>() {
  let come: (value: T) => void = () => undefined;
  let fail: (reason: unknown) => void = () => undefined;
  const promise = new Promise<T>((resolve, reject) => {
    come = resolve;
    fail = reject;
  });
  return { promise, come, fail };
}

async function open(routes: RouteObject[], ...paths: string[]) {
  const router = createMemoryRouter(routes, { initialEntries: paths });
  await act(async () => void render(<RouterProvider router={router} />));
  return {
    router,
    go: (to: string | number, options = {}) => act(async () => void (await router.navigate(to, options))),
    at: () => router.state.location.pathname + router.state.location.search,
    seen: () => document.body.textContent,
  };
}

const page = (path: string, words: string, more: Partial<RouteObject> = {}): RouteObject => ({
  path,
  element: <h1>{words}</h1>,
  ...more,
});

describe('an address', () => {
  function Station() {
    return <p>{useParams().station}</p>;
  }
  const routes = [
    page('*', 'nothing'),
    page('/car/:id', 'a car'),
    page('/car/add', 'a new car'),
    { path: '/station/:station', Component: Station },
    page('/', 'the map'),
  ];

  it.each([
    ['/', 'the map'],
    ['/car/add', 'a new car'],
    ['/Car/ADD/', 'a new car'],
    ['/car/7', 'a car'],
    ['/car', 'nothing'],
    ['/car/7/8', 'nothing'],
    ['/station/F%2014', 'F 14'],
    ['/station/%', '%'],
  ])('%s opens the most specific page: %s', async (path, words) => {
    expect((await open(routes, path)).seen()).toBe(words);
  });
});

describe('a navigation', () => {
  it('keeps the page and the address until the next page has its code and data', async () => {
    const code = later<() => string>();
    const facts = later<string>();
    function Next() {
      return <h1>{useLoaderData<string>()}</h1>;
    }
    const next = { path: '/next', lazy: { Component: () => code.promise as never }, loader: () => facts.promise };
    const { router, at, seen } = await open([page('/', 'first'), next], '/');
    let arrived = Promise.resolve();
    act(() => {
      arrived = router.navigate('/next');
    });
    expect([at(), seen(), router.state.navigation.state]).toEqual(['/', 'first', 'loading']);
    await act(async () => {
      code.come(Next as never);
      facts.come('second');
      await arrived;
    });
    expect([at(), seen(), router.state.navigation.state]).toEqual(['/next', 'second', 'idle']);
  });

  it('is overtaken by a newer one', async () => {
    const slow = later<null>();
    const routes = [page('/', 'first'), page('/slow', 'slow', { loader: () => slow.promise }), page('/fast', 'fast')];
    const { router, go, at, seen } = await open(routes, '/');
    const overtaken = router.navigate('/slow');
    await go('/fast');
    await act(async () => {
      slow.come(null);
      await overtaken;
    });
    expect([at(), seen()]).toEqual(['/fast', 'fast']);
  });

  it('that is redirected does not leave the intermediate page in the history', async () => {
    const guarded = page('/account', 'account', {
      loader: () => {
        throw redirect('/auth');
      },
    });
    const { go, at } = await open([page('/', 'first'), guarded, page('/auth', 'sign-in')], '/');
    await go('/account');
    expect(at()).toBe('/auth');
    await go(-1);
    expect(at()).toBe('/');
  });

  it('that is redirected with replace takes the place of the previous page', async () => {
    const used = page('/back', 'back', {
      loader: () => {
        throw replace('/status');
      },
    });
    const { go, at } = await open([page('/', 'first'), page('/pay', 'pay'), used, page('/status', 'status')], '/');
    await go('/pay');
    await go('/back');
    expect(at()).toBe('/status');
    await go(-1);
    expect(at()).toBe('/');
  });

  it('follows the guard rather than a failed load of the code', async () => {
    const lost = {
      path: '/lost',
      lazy: { Component: () => Promise.reject(new TypeError('no network')) },
      loader: async () => {
        await Promise.resolve();
        throw redirect('/auth');
      },
    };
    const { go, at } = await open([page('/', 'first'), lost, page('/auth', 'sign-in')], '/');
    await go('/lost');
    expect(at()).toBe('/auth');
  });

  it('reloads on revalidation, also for a navigation in progress', async () => {
    let mayPass = true;
    const guarded = page('/', 'account', {
      loader: () => {
        if (!mayPass) throw redirect('/auth');
      },
    });
    const { router, at } = await open([guarded, page('/auth', 'sign-in')], '/');
    expect(at()).toBe('/');
    mayPass = false;
    await act(() => router.revalidate());
    expect(at()).toBe('/auth');
  });
});

describe('a failure', () => {
  function Failed() {
    const error = useRouteError();
    return <p>{isRouteErrorResponse(error) ? `no page: ${error.status}` : `failed: ${(error as Error).message}`}</p>;
  }
  function Frame() {
    return (
      <>
        <b>frame </b>
        <Outlet />
      </>
    );
  }
  const framed = (child: RouteObject): RouteObject[] => [
    { Component: Frame, children: [{ ErrorBoundary: Failed, children: [child, page('/fine', 'fine')] }] },
  ];

  it('of a loader is shown in the nearest frame with an error boundary, and ends with the next page', async () => {
    const missing = page('/', 'page', {
      loader: () => {
        throw data(null, { status: 404 });
      },
    });
    const { go, seen } = await open(framed(missing), '/');
    expect(seen()).toBe('frame no page: 404');
    await go('/fine');
    expect(seen()).toBe('frame fine');
  });

  it('of rendering is shown there too, until it is loaded again', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => undefined);
    let isBroken = true;
    function Page() {
      if (isBroken) throw new Error('broken');
      return <h1>repaired</h1>;
    }
    const { router, seen } = await open(framed({ path: '/', Component: Page }), '/');
    expect(seen()).toBe('frame failed: broken');
    isBroken = false;
    await act(() => router.revalidate());
    expect(seen()).toBe('frame repaired');
    vi.restoreAllMocks();
  });
});

describe('a page with unsaved changes', () => {
  function Form() {
    const blocker = useBlocker(({ nextLocation }) => nextLocation.pathname !== '/form');
    return (
      <>
        <h1>form {blocker.state}</h1>
        <button type="button" onClick={() => blocker.proceed?.()}>
          leave
        </button>
        <button type="button" onClick={() => blocker.reset?.()}>
          stay
        </button>
      </>
    );
  }
  const routes = [page('/', 'first'), { path: '/form', Component: Form }, page('/next', 'next')];
  const press = (name: string) => act(async () => void fireEvent.click(screen.getByRole('button', { name })));

  it('blocks the navigation until the user decides', async () => {
    const { go, at, seen } = await open(routes, '/', '/form');
    await go('/next');
    expect([at(), seen()]).toEqual(['/form', 'form blockedleavestay']);
    await press('stay');
    expect([at(), seen()]).toEqual(['/form', 'form unblockedleavestay']);
    await go('/next');
    await press('leave');
    expect(at()).toBe('/next');
  });

  it('blocks going back, and allows it on confirmation', async () => {
    const { go, at, seen } = await open(routes, '/', '/form');
    await go(-1);
    expect([at(), seen()]).toEqual(['/form', 'form blockedleavestay']);
    await press('leave');
    expect([at(), seen()]).toEqual(['/', 'first']);
  });

  it('does not block steps within it', async () => {
    const { go, at } = await open(routes, '/form');
    await go('/form?tab=2');
    expect(at()).toBe('/form?tab=2');
  });
});

describe('a link', () => {
  it('navigates without reloading the page, unless another tab is requested', async () => {
    const first = { path: '/', element: <Link to="/next?from=first">on</Link> };
    const { at } = await open([first, page('/next', 'next')], '/');
    const link = screen.getByRole('link');
    expect(link.getAttribute('href')).toBe('/next?from=first');
    // The browser would follow it; jsdom cannot.
    link.addEventListener('click', (event) => event.preventDefault(), { once: true });
    await act(async () => void fireEvent.click(link, { ctrlKey: true }));
    expect(at()).toBe('/');
    await act(async () => void fireEvent.click(link));
    expect(at()).toBe('/next?from=first');
  });

  it('is not followed when its own handler prevents it', async () => {
    const first = {
      path: '/',
      element: (
        <Link to="/next" onClick={(event) => event.preventDefault()}>
          on
        </Link>
      ),
    };
    const { at } = await open([first, page('/next', 'next')], '/');
    await act(async () => void fireEvent.click(screen.getByRole('link')));
    expect(at()).toBe('/');
  });
});

describe('a page', () => {
  it('can redirect as soon as it is rendered, replacing itself', async () => {
    const routes = [page('/', 'first'), { path: '/old', element: <Navigate to="/new" replace /> }, page('/new', 'new')];
    const { go, at } = await open(routes, '/');
    await go('/old');
    expect(at()).toBe('/new');
    await go(-1);
    expect(at()).toBe('/');
  });

  it('reads and changes the query of its address', async () => {
    function Filter() {
      const [params, setParams] = useSearchParams();
      return (
        <button type="button" onClick={() => setParams({ kind: 'dc' }, { replace: true })}>
          {params.get('kind') ?? 'all'}
        </button>
      );
    }
    const { at, seen } = await open([{ path: '/map', Component: Filter }], '/map');
    expect(seen()).toBe('all');
    await act(async () => void fireEvent.click(screen.getByRole('button')));
    expect([at(), seen()]).toEqual(['/map?kind=dc', 'dc']);
  });
});

describe('in the browser', () => {
  it('an address changes with the page, goes back with it, and keeps the state of the navigation', async () => {
    function Next() {
      return <h1>{String(useLocation().state)}</h1>;
    }
    history.replaceState(null, '', '/first');
    const router = createBrowserRouter([page('/first', 'first'), { path: '/next', Component: Next }]);
    render(<RouterProvider router={router} />);
    await act(() => router.navigate('/next', { state: 'from the first' }));
    expect([window.location.pathname, document.body.textContent]).toEqual(['/next', 'from the first']);
    await act(async () => {
      history.back();
      await vi.waitFor(() => expect(router.state.location.pathname).toBe('/first'));
    });
    expect(document.body.textContent).toBe('first');
  });
});

describe('pages that are declared later', () => {
  const Failure = () => <p>{String(useRouteError())}</p>;

  it('are loaded with the first address under theirs, once; other addresses do not wait for them', async () => {
    const load = vi.fn(async () => [page('/admin', 'staff'), page('/admin/users', 'users')]);
    const routes = [page('/', 'map'), page('*', 'nothing'), { later: { under: 'admin', load } }];
    const { go, seen } = await open(routes, '/');
    expect([seen(), load.mock.calls.length]).toEqual(['map', 0]);
    await go('/admin/users');
    expect(seen()).toBe('users');
    await go('/admin');
    expect([seen(), load.mock.calls.length]).toEqual(['staff', 1]);
    await go('/admin/none');
    expect(seen()).toBe('nothing');
  });

  it('show the error when they cannot be loaded, and are loaded again by the next attempt', async () => {
    const load = vi.fn(async () => [page('/admin', 'staff')]);
    load.mockRejectedValueOnce(new Error('no network'));
    const routes = [{ ErrorBoundary: Failure, children: [page('/', 'map'), { later: { under: 'admin', load } }] }];
    const { go, seen } = await open(routes, '/');
    await go('/admin');
    expect(seen()).toBe('Error: no network');
    await go('/');
    await go('/admin');
    expect(seen()).toBe('staff');
  });
});
