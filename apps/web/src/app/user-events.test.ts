import { describe, expect, it } from 'vitest';
import { readUserEvent } from './user-events.ts';

const rfid = (eventType: string, about: object = {}) => ({ type: 'rfid_card_update', eventType, ...about });

describe('a balance update', () => {
  it.each([
    [312_40, 312_40],
    ['31240', 312_40],
  ])('contains the balance, read as a number: %j [LIVE-04]', (balance, read) => {
    expect(readUserEvent({ type: 'wallet_balance_update', balance })).toEqual({ kind: 'balance', balance: read });
  });

  it.each([undefined, null, 0, '0', '', 'a lot', -5, 1.5, {}, [312_40]])(
    'with the balance %j is invalid [LIVE-05]',
    (balance) => {
      expect(readUserEvent({ type: 'wallet_balance_update', balance })).toBeNull();
    },
  );
});

describe('a card update', () => {
  it.each([
    ['requestSuccessful', true],
    ['requestFailed', false],
    ['requestExpired', false],
  ])('%s contains the station [LIVE-06] [LIVE-07]', (eventType, isBound) => {
    const event = { kind: 'bindRequest', isBound, stationNumber: 'F1234' };
    expect(readUserEvent(rfid(eventType, { stationNumber: 'F1234' }))).toEqual(event);
    expect(readUserEvent(rfid(eventType))).toBeNull();
    expect(readUserEvent(rfid(eventType, { stationNumber: '' }))).toBeNull();
    expect(readUserEvent(rfid(eventType, { cardId: 17 }))).toBeNull();
  });

  it.each([
    ['cardAdded', true],
    ['cardDeleted', false],
  ])('%s contains the card [LIVE-06] [LIVE-08]', (eventType, isAdded) => {
    expect(readUserEvent(rfid(eventType, { cardId: 17 }))).toEqual({ kind: 'card', isAdded, cardId: 17 });
    expect(readUserEvent(rfid(eventType))).toBeNull();
    expect(readUserEvent(rfid(eventType, { cardId: 'x' }))).toBeNull();
    expect(readUserEvent(rfid(eventType, { stationNumber: 'F1234' }))).toBeNull();
  });

  it('of another kind is invalid', () => {
    expect(readUserEvent(rfid('cardPainted', { cardId: 17 }))).toBeNull();
  });
});

it('messages of other types are ignored, and what is no message is invalid [LIVE-09]', () => {
  expect(readUserEvent({ type: 'weather', balance: 5 })).toBeUndefined();
  expect(readUserEvent({ type: 'toString' })).toBeUndefined();
  for (const data of [null, 'hello', 7, [], {}, { type: 5 }]) expect(readUserEvent(data)).toBeNull();
});
