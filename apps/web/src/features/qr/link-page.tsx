import { getLink } from '@fpay/contract/stations';
import { call } from '../../api/call.ts';
import { ApiError } from '../../api/errors.ts';
import { type LoaderFunctionArgs, redirect } from '../../router/index.ts';

/**
 * A printed code contains a link instead of a station, so that staff can assign it to another one. It redirects before
 * anything is rendered.
 */
export async function loader({ params: { link = '' }, request }: LoaderFunctionArgs): Promise<never> {
  const { station_number, is_virtual } = await call(getLink, { params: { link } }).catch((error: unknown) => {
    throw error instanceof ApiError && error.status < 500 ? redirect('/404') : error;
  });
  // The query contains the referral and is kept.
  throw redirect(`/station/${is_virtual ? 'v/' : ''}${station_number}${new URL(request.url).search}`);
}

export function Page() {
  return null;
}
