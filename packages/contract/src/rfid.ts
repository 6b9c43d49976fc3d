import * as z from 'zod/mini';
import { endpoint } from './endpoint.ts';
import { Id, IdText, Instant } from './wire.ts';

/** Who may use RFID cards. It is defined once, so that a network can allow it for every driver. */
const access = ['access-admin-page'] as const;

export const RfidData = z.object({
  cards: z.array(
    z.object({ id: Id, /** Masked, but long enough for users to tell their cards apart. */ number: z.string() }),
  ),
  requests: z.array(z.object({ id: Id, station_number: z.string(), expires_at: Instant })),
});
export type RfidData = z.infer<typeof RfidData>;

export const getRfidData = endpoint({
  method: 'GET',
  path: '/api/user/rfid/data',
  summary: "The caller's cards and open bind requests",
  access,
  reply: RfidData,
});

export const requestRfidBind = endpoint({
  method: 'POST',
  path: '/api/user/rfid/requests',
  summary: 'Bind the next unknown card that is shown at this station within two minutes',
  access,
  body: z.object({ station_number: z.string().check(z.minLength(1), z.maxLength(16)) }),
  reply: z.object({ message: z.string() }),
  refusals: ['station_not_found', 'closed_station', 'bind_request_open'],
});

export const deleteRfidRequest = endpoint({
  method: 'DELETE',
  path: '/api/user/rfid/requests/:id',
  summary: 'Withdraw an open bind request',
  access,
  params: z.object({ id: IdText }),
  refusals: ['not_found'],
});

export const deleteRfidCard = endpoint({
  method: 'DELETE',
  path: '/api/user/rfid/:card',
  summary: 'Remove a card',
  access,
  params: z.object({ card: IdText }),
  refusals: ['not_found'],
});

/** Types of the live event `rfid_card_update`. */
export const rfidEventTypes = [
  'requestSuccessful',
  'requestFailed',
  'requestExpired',
  'cardAdded',
  'cardDeleted',
] as const;
export type RfidEventType = (typeof rfidEventTypes)[number];
