/**
 * Pages, links and guards. The names are those of React Router's data router, of which this is the part that we need.
 */
export { data, isRouteErrorResponse, redirect, replace } from './answers.ts';
export { Navigate, Outlet, RouterLink as Link, RouterProvider } from './components.tsx';
export type { Location, To } from './history.ts';
export {
  useBeforeUnload,
  useBlocker,
  useLayer,
  useLoaderData,
  useLocation,
  useMatches,
  useNavigate,
  useParams,
  useRevalidator,
  useRouteError,
  useSearchParams,
} from './hooks.ts';
export { type LoaderFunction, type LoaderFunctionArgs, matchRoutes, type RouteObject } from './match.ts';
export { createBrowserRouter, createMemoryRouter, type DataRouter } from './router.ts';
export { ScrollRestoration } from './scroll-restoration.ts';
