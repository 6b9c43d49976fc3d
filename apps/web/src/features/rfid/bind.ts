import { refusals } from '@fpay/contract/refusals';
import { requestRfidBind } from '@fpay/contract/rfid';
import { call } from '../../api/call.ts';
import { errorText } from '../../api/error-text.ts';
import { ApiError } from '../../api/errors.ts';
import type { TextKey } from '../../i18n/text-key.ts';

interface Answer {
  /** The server's text, for success and refusal. */
  message: string;
  /** The refusal in the driver's language; null on success. */
  refusal: TextKey | null;
}

/** Throws only when there is no answer; a refusal is returned with its message. */
export async function requestBind(stationNumber: string): Promise<Answer> {
  try {
    const { message } = await call(requestRfidBind, { body: { station_number: stationNumber } });
    return { message, refusal: null };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return { message: error.message, refusal: errorText(error) };
  }
}

export function isStationUnknown({ message }: Answer): boolean {
  return message === refusals.station_not_found.message;
}

/** The number as on the station, in any typed notation. */
export function stationNumberOf(typed: string): string {
  return typed.trim().toUpperCase();
}
