import { kopecks, wattHours, watts } from '@fpay/contract/money';
import type { PartyData, PartyMember, PartyOperation, PartyStats } from '@fpay/contract/party';
import { act } from '@testing-library/react';
import { Page } from '../features/party/party-page.tsx';
import { viewerZone } from '../features/party/queries.ts';
import { PopupHost } from '../ui/overlay/popup-host.tsx';
import { aUser } from './people.ts';
import { cacheWith, renderRoutes } from './render.tsx';
import { serve } from './server.ts';

export const aMember = (id: number, rest: Partial<PartyMember> = {}): PartyMember => ({
  id,
  name: `Учасник ${id}`,
  phone_number: `+38050000000${id}`,
  icon: 1,
  is_owner: false,
  balance: kopecks(640_00),
  party_balance: kopecks(0),
  last_login: '2026-11-15T10:00:00Z',
  operations_24h: 2,
  energy_24h: wattHours(42_600),
  energy_week: wattHours(188_200),
  allowance: null,
  ...rest,
});

export const owner = aMember(1, {
  name: 'Богдан',
  is_owner: true,
  energy_24h: wattHours(0),
  energy_week: wattHours(0),
});
export const ihor = aMember(2, { name: 'Ігор', energy_24h: wattHours(1_000), energy_week: wattHours(300_000) });
export const olena = aMember(3, { name: 'Олена', energy_24h: wattHours(2_000), energy_week: wattHours(20_000) });

export const aParty = (rest: Partial<PartyData> = {}): PartyData => ({
  party_name: 'Зелений парк',
  is_closed: true,
  is_owner: true,
  owner: { name: 'Богдан', icon: 5 },
  member_list: [owner, ihor, olena],
  station_list: [
    {
      number: 'F1301',
      address: 'Parkova St, 4',
      address_uk: 'вул. Паркова, 4',
      is_online: true,
      connectors: [
        { type: 'ccstype2', status: 'free', time_left: null },
        { type: 'type2', status: 'charging', time_left: 600 },
      ],
    },
  ],
  own: null,
  invitations: [],
  ...rest,
});

export const stats: PartyStats = {
  total: wattHours(100_000),
  free: wattHours(10_000),
  free_percentage: 10,
  party: wattHours(90_000),
  party_percentage: 90,
  charges: 12,
  by_station: [
    {
      number: 'F1301',
      address: 'Parkova St, 4',
      address_uk: 'вул. Паркова, 4',
      total: wattHours(100_000),
      total_percentage: 100,
      free: wattHours(10_000),
      free_percentage: 10,
      party: wattHours(90_000),
      party_percentage: 90,
    },
    {
      number: 'F1050',
      address: '',
      address_uk: '',
      total: wattHours(0),
      total_percentage: 0,
      free: wattHours(0),
      free_percentage: null,
      party: wattHours(0),
      party_percentage: null,
    },
  ],
  by_day: [
    { date: '2026-11-14', energy: wattHours(40_000) },
    { date: '2026-11-15', energy: wattHours(60_000) },
  ],
  by_user: [],
};

export const anOperation: PartyOperation = {
  id: 480172,
  created_at: '2026-11-15T07:10:00Z',
  closed_at: null,
  energy: wattHours(42_600),
  price: kopecks(14_50),
  total: kopecks(617_70),
  user: { id: 2, name: 'Ігор', phone_number: '+380504182207', icon: 1 },
  status: 'finished',
  payment_type: 'bank',
  station_number: 'F1302',
  address: 'Parkova St, 6',
  address_uk: 'вул. Паркова, 6',
  connector_type: 'ccstype2',
  connector_number: '1',
  connector_power: watts(60_000),
  car_name: null,
};

export const zone = encodeURIComponent(viewerZone());
export const statsOf = (user: string, period: string) =>
  `GET /api/party/stats?user=${user}&period=${period}&tz=${zone}`;

export async function openParty(
  answers: Record<string, unknown>,
  path = '/party',
  user = aUser({ balance: kopecks(1_000_00) }),
) {
  const server = serve(answers);
  const element = (
    <>
      <Page />
      <PopupHost />
    </>
  );
  const drawn = await renderRoutes(
    [
      { path: '/party', element },
      { path: '*', element: <PopupHost /> },
    ],
    cacheWith({ user }),
    path,
  );
  await act(async () => undefined);
  return { server, ...drawn };
}

export const shown = (element: Element | null) => element?.textContent?.replaceAll('\u00a0', ' ') ?? '';
export const names = () =>
  Array.from(document.querySelectorAll('ul li[aria-label]'), (row) => row.getAttribute('aria-label'));
