import {
  type AnchorHTMLAttributes,
  Component,
  type MouseEvent,
  type ReactNode,
  use,
  useEffect,
  useEffectEvent,
} from 'react';
import { FailureContext, LevelContext, RouterContext, useRouter, useRouterState } from './context.ts';
import { locationOf, pathOf, type To } from './history.ts';
import { useLocation, useNavigate } from './hooks.ts';
import type { DataRouter, NavigateOptions } from './router.ts';

export function RouterProvider({ router }: { router: DataRouter }) {
  return (
    <RouterContext value={router}>
      <Outlet />
    </RouterContext>
  );
}

/** In a frame: the place of the framed page. */
export function Outlet() {
  const level = use(LevelContext) + 1;
  const { shown, version } = useRouterState();
  const current = shown[level];
  if (!current) return null;
  const { route, Component: Page, failure } = current;
  const { ErrorBoundary } = route;
  const page =
    failure && ErrorBoundary ? (
      <FailureContext value={failure.error}>
        <ErrorBoundary />
      </FailureContext>
    ) : (
      ((Page && <Page />) ?? route.element ?? <Outlet />)
    );
  return (
    <LevelContext value={level}>
      {ErrorBoundary ? (
        <Catch version={version} fallback={<ErrorBoundary />}>
          {page}
        </Catch>
      ) : (
        page
      )}
    </LevelContext>
  );
}

interface CatchProps {
  version: number;
  fallback: ReactNode;
  children: ReactNode;
}

/** Shows a rendering error until something is loaded again. */
class Catch extends Component<CatchProps, { failure: { error: unknown } | null; version: number }> {
  override state = { failure: null as { error: unknown } | null, version: this.props.version };

  static getDerivedStateFromError(error: unknown) {
    return { failure: { error } };
  }

  static getDerivedStateFromProps({ version }: CatchProps, state: { version: number }) {
    return version === state.version ? null : { version, failure: null };
  }

  override render() {
    const { failure } = this.state;
    if (!failure) return this.props.children;
    return <FailureContext value={failure.error}>{this.props.fallback}</FailureContext>;
  }
}

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'>, NavigateOptions {
  to: To;
}

export function RouterLink({ to, replace, state, preventScrollReset, onClick, ...rest }: LinkProps) {
  const navigate = useNavigate();
  const here = useLocation();
  const href = pathOf(locationOf(to, here.pathname + here.search, null));

  function follow(event: MouseEvent<HTMLAnchorElement>) {
    onClick?.(event);
    const isOurs = event.button === 0 && (!rest.target || rest.target === '_self');
    const wantsOwnTab = event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
    if (event.defaultPrevented || !isOurs || wantsOwnTab) return;
    event.preventDefault();
    // A link to the present page adds no history entry.
    const isHere = href === pathOf(here);
    void navigate(to, {
      replace: replace ?? isHere,
      state,
      ...(preventScrollReset !== undefined && { preventScrollReset }),
    });
  }
  return <a {...rest} href={href} onClick={follow} />;
}

/** Navigates as soon as it is rendered. */
export function Navigate({ to, replace, state }: { to: To } & Pick<NavigateOptions, 'replace' | 'state'>) {
  const { navigate } = useRouter();
  const go = useEffectEvent(() => void navigate(to, { ...(replace !== undefined && { replace }), state }));
  useEffect(() => go(), []);
  return null;
}
