import type { ConnectorStatus, ConnectorType } from '@fpay/contract/connectors';
import { describe, expect, it } from 'vitest';
import { lookOf, markerPromotions } from './marker-look.ts';
import { atlasStation, everyType, maskOf } from './place.ts';

type Plugs = Partial<Record<ConnectorType, ConnectorStatus>>;

function station(number: string, plugs: Plugs, is_online = true) {
  const connectors = Object.entries(plugs).map(([type, status]) => ({ type: type as ConnectorType, status }));
  return atlasStation({ number, address: 'A', address_uk: 'А', is_online, connectors });
}

const none = markerPromotions([]);
const free = station('F1', { ccstype2: 'free', type2: 'charging' });
const busy = station('F2', { ccstype2: 'charging', type2: 'ready' });
const partly = station('F3', { ccstype2: 'free', type2: 'oos' });
const dead = station('F4', { ccstype2: 'oos', type2: 'unknown' });
const offline = station('F5', { ccstype2: 'free' }, false);
/** An offline station may have no other data. */
const silent = station('F6', {}, false);

const stateOf = (...stations: ReturnType<typeof station>[]) => lookOf(stations, everyType, none).state;

describe('a marker', () => {
  it('is inactive when all its stations are offline, or all connectors are out of service [MAP-17]', () => {
    expect([stateOf(dead), stateOf(offline), stateOf(offline, dead)]).toEqual(['inactive', 'inactive', 'inactive']);
    expect(stateOf(silent)).toBe('inactive');
    expect([stateOf(free), stateOf(busy)]).toEqual(['active', 'active']);
  });

  it('is half-active when some, but not all, are offline or out of service [MAP-18]', () => {
    expect([stateOf(partly), stateOf(free, offline), stateOf(busy, dead)]).toEqual(['half', 'half', 'half']);
    expect(stateOf(free, silent)).toBe('half');
    expect(stateOf(free, busy)).toBe('active');
  });

  it('is a hub when there is more than one station, regardless of their state [MAP-19]', () => {
    const kinds = [[free], [free, busy], [dead, offline]].map((stations) => lookOf(stations, everyType, none).kind);
    expect(kinds).toEqual(['plain', 'hub', 'hub']);
  });

  it('shows whether a connector is free; one with a plugged-in car is occupied [CONN-08]', () => {
    const isFree = (one: ReturnType<typeof station>) => lookOf([one], everyType, none).isFree;
    expect([free, busy, partly, dead, offline].map(isFree)).toEqual([true, false, true, false, false]);
  });

  it('considers only the chosen connector types', () => {
    const type2 = maskOf(['type2']);
    expect(lookOf([free], type2, none)).toEqual({ kind: 'plain', state: 'active', isFree: false });
    expect(lookOf([partly], type2, none).state).toBe('inactive');
  });

  it('shows the promotion of its station before a hub, and a hub before a promotion of the whole network [MAP-20] [MAP-21] [MAP-22]', () => {
    const promotions = markerPromotions([
      { code: 'discount', kind: 'marker', station_number: 'F1' },
      { code: 'sun', kind: 'marker', station_number: 'F4' },
      { code: 'event', kind: 'marker', station_number: null },
      { code: 'sun', kind: 'banner', station_number: 'F2' },
      { code: 'unheard-of', kind: 'marker', station_number: 'F2' },
    ]);
    const kind = (...stations: ReturnType<typeof station>[]) => lookOf(stations, everyType, promotions).kind;
    expect([kind(free), kind(free, busy), kind(dead)]).toEqual(['discount', 'discount', 'sun']);
    expect([kind(busy), kind(busy, partly), kind(offline)]).toEqual(['event', 'hub', 'plain']);
    expect(lookOf([free], everyType, none).kind).toBe('plain');
  });
});
