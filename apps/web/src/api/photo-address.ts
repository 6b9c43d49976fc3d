import { getPhoto, type photoSizes } from '@fpay/contract/photos';
import { addressOf } from './address.ts';

/** The address of a picture, for a page of drivers and for staff. */
export const photoAddress = (key: string, size: (typeof photoSizes)[number]) =>
  addressOf(getPhoto, { params: { key, size } }).url;
