import { refusals } from '@fpay/contract/refusals';
import { requestRfidBind } from '@fpay/contract/rfid';
import { call } from '../../api/call.ts';
import { errorText } from '../../api/error-text.ts';
import { ApiError } from '../../api/errors.ts';
import type { TextKey } from '../../i18n/text-key.ts';

interface Answer {
  /** The server's own words, whether it said yes or no. */
  message: string;
  /** Why not, in the driver's language; null when it said yes. */
  refusal: TextKey | null;
}

/** Only silence is thrown: any answer, also a "no", comes back with its message. */
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

/** As it is written on the station, however it was typed. */
export function stationNumberOf(typed: string): string {
  return typed.trim().toUpperCase();
}
