import { getStation } from '@fpay/contract/stations';
import { describe, expect, it, vi } from 'vitest';
import { firstReply, storeFirstAnswers, takeFirstAnswer } from './first-answers.ts';

const url = '/api/station/F1400';
const given = { params: { number: 'F1400' } };
const station = {
  id: 1,
  number: 'F1400',
  address: 'Main St, 1',
  address_uk: 'вул. Головна, 1',
  lat: 48.46,
  lon: 35.05,
  is_online: true,
  connectors: [],
  promo: null,
  reward: null,
  note: null,
  opening_hours: null,
  maintenance: [],
  photos: [],
};

describe('an answer that is embedded in the page', () => {
  it('is available at once, and only once', () => {
    storeFirstAnswers({ [url]: { status: 200, body: station } });
    expect(firstReply(getStation, { params: { number: 'F1401' } })).toBeUndefined();
    expect(firstReply(getStation, given)).toEqual(station);
    expect([firstReply(getStation, given), takeFirstAnswer(url)]).toEqual([undefined, null]);
  });

  it.each([
    ['a refusal', { status: 404, body: { message: 'Not found' } }],
    ['something the page does not understand', { status: 200, body: { number: 7 } }],
  ])('is left for the call when it is %s', async (_, answer) => {
    storeFirstAnswers({ [url]: answer });
    expect(firstReply(getStation, given)).toBeUndefined();
    const response = takeFirstAnswer(url);
    expect([response?.status, await response?.json()]).toEqual([answer.status, answer.body]);
  });

  it('is dropped when it is old', () => {
    vi.useFakeTimers();
    storeFirstAnswers({ [url]: { status: 200, body: station } });
    vi.advanceTimersByTime(15_000);
    expect(firstReply(getStation, given)).toBeUndefined();
    vi.useRealTimers();
  });
});
