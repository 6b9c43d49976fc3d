import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { accountQueries, removeUser } from '../features/account/queries.ts';
import { rfidQueries } from '../features/rfid/queries.ts';
import { aGuest, aUser } from '../testing/people.ts';
import { cacheWith } from '../testing/render.tsx';
import { notify, usePopups } from '../ui/overlay/popups.ts';
import { listenForUser } from './user-listener.ts';

interface Opened {
  group: string;
  send: (data: unknown) => void;
  join: () => void;
  isStopped: boolean;
}
const opened: Opened[] = [];

vi.mock('../api/realtime.ts', () => ({
  connectRealtime() {
    const connection: Opened = { group: '', send: () => {}, join: () => {}, isStopped: false };
    opened.push(connection);
    return {
      listen: (group: string, onMessage: (data: unknown) => void, onJoined: () => void) =>
        Object.assign(connection, { group, send: onMessage, join: onJoined }),
      stop: () => Object.assign(connection, { isStopped: true }),
    };
  },
}));

const userKey = accountQueries.user().queryKey;
const rfidKey = rfidQueries.data().queryKey;
const cards = [{ id: 3, number: '••1F' }];
const requests = [
  { id: 1, station_number: 'F1234', expires_at: '2026-11-15T12:00:00+02:00' },
  { id: 2, station_number: 'F1400', expires_at: '2026-11-15T12:00:00+02:00' },
];
let queryClient: ReturnType<typeof cacheWith>;
let stop: () => void;
let warn: ReturnType<typeof vi.spyOn>;

/** Signs a user in and listens; returns the connection. */
function listen(user: ReturnType<typeof aUser> | null = aUser()) {
  queryClient = cacheWith({ user });
  stop = listenForUser(queryClient);
  return opened.at(-1) as Opened;
}
const rfid = () => queryClient.getQueryData(rfidKey);
const messages = () => usePopups.getState().waiting.map((popup) => (popup.kind === 'message' ? popup.message : null));

beforeEach(() => {
  opened.length = 0;
  warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
});
afterEach(() => {
  stop();
  vi.restoreAllMocks();
});

describe('the listener', () => {
  it('starts when a user is signed in, once [LIVE-01] [LIVE-02]', () => {
    listen(null);
    expect(opened).toEqual([]);
    queryClient.setQueryData(userKey, aUser({ id: 7 }));
    queryClient.setQueryData(userKey, aUser({ id: 7, name: 'Інше ім’я' }));
    expect(opened.map(({ group }) => group)).toEqual(['user-7']);
  });

  it('reconnects when a guest gets an account [LIVE-01]', () => {
    listen(aGuest({ id: 5 }));
    queryClient.setQueryData(userKey, aUser({ id: 7 }));
    expect(opened.map(({ group, isStopped }) => [group, isStopped])).toEqual([
      ['user-5', true],
      ['user-7', false],
    ]);
  });

  it('refetches once it has joined, because earlier messages are lost', () => {
    const connection = listen();
    expect(queryClient.getQueryState(userKey)?.isInvalidated).toBe(false);
    connection.join();
    expect(queryClient.getQueryState(userKey)?.isInvalidated).toBe(true);
  });

  it('is closed at sign-out [LIVE-03]', () => {
    const connection = listen();
    removeUser(queryClient);
    expect(connection.isStopped).toBe(true);
    expect(opened).toHaveLength(1);
  });
});

describe('a message', () => {
  it('with a balance is shown at once, without a request [LIVE-04]', () => {
    const fetch = vi.fn();
    vi.stubGlobal('fetch', fetch);
    listen().send({ type: 'wallet_balance_update', balance: '31240' });
    expect(queryClient.getQueryData(userKey)).toEqual({ ...aUser(), balance: 312_40 });
    expect(fetch).not.toHaveBeenCalled();
    vi.unstubAllGlobals();
  });

  it.each([{ type: 'wallet_balance_update' }, { type: 'wallet_balance_update', balance: 0 }])(
    'that is invalid changes nothing and is logged, and the user is loaded again: %j [LIVE-05] [LIVE-09]',
    (message) => {
      const connection = listen();
      const asked = vi.spyOn(queryClient, 'invalidateQueries');
      connection.send(message);
      expect(queryClient.getQueryData(userKey)).toEqual(aUser());
      expect(warn).toHaveBeenCalledExactlyOnceWith(expect.any(String), message);
      expect(asked.mock.calls.map(([filter]) => filter?.queryKey)).toEqual([userKey]);
      expect(messages()).toEqual([]);
    },
  );

  it('of another type is ignored without a log line [LIVE-09]', () => {
    listen().send({ type: 'weather', balance: 5 });
    expect(warn).not.toHaveBeenCalled();
    expect(queryClient.getQueryData(userKey)).toEqual(aUser());
  });

  it.each([
    ['requestSuccessful', 'Картку RFID прив’язано'],
    ['requestFailed', 'Запит на прив’язку RFID відхилено або час вийшов'],
    ['requestExpired', 'Запит на прив’язку RFID відхилено або час вийшов'],
  ])('%s is shown before other popups and ends the request of that station [LIVE-10] [LIVE-11]', (eventType, words) => {
    const connection = listen();
    void notify('Щось інше');
    queryClient.setQueryData(rfidKey, { cards, requests });
    connection.send({ type: 'rfid_card_update', eventType, stationNumber: 'F1234' });
    expect(messages()).toEqual([words, 'Щось інше']);
    expect(rfid()).toEqual({ cards, requests: [requests[1]] });
  });

  it('about an added card lists it once, and one about a deleted card removes it [LIVE-12]', () => {
    const connection = listen();
    queryClient.setQueryData(rfidKey, { cards, requests });
    const added = { type: 'rfid_card_update', eventType: 'cardAdded', cardId: 17 };
    connection.send(added);
    connection.send(added);
    expect(rfid()?.cards).toEqual([...cards, { id: 17, number: '' }]);
    connection.send({ type: 'rfid_card_update', eventType: 'cardDeleted', cardId: 3 });
    expect(rfid()?.cards).toEqual([{ id: 17, number: '' }]);
  });

  it('about a card is not cached while the page of the cards is closed', () => {
    listen().send({ type: 'rfid_card_update', eventType: 'cardAdded', cardId: 17 });
    expect(rfid()).toBeUndefined();
  });
});
