import { getLink } from '@fpay/contract/stations';
import { call } from '../../api/call.ts';
import { ApiError } from '../../api/errors.ts';
import { type LoaderFunctionArgs, redirect } from '../../router/index.ts';

/** A printed code names no station but a link, so that staff can hang it on another one. Leads on before it is drawn. */
export async function loader({ params: { link = '' }, request }: LoaderFunctionArgs): Promise<never> {
  const { station_number, is_virtual } = await call(getLink, { params: { link } }).catch((error: unknown) => {
    throw error instanceof ApiError && error.status < 500 ? redirect('/404') : error;
  });
  // Who brought the driver here is told by the query, which goes along.
  throw redirect(`/station/${is_virtual ? 'v/' : ''}${station_number}${new URL(request.url).search}`);
}

export function Page() {
  return null;
}
