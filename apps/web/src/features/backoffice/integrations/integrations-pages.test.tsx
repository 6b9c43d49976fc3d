import type { ApiKeyItem } from '@fpay/contract/admin/integrations/api-keys';
import type { OcpiPartnerItem } from '@fpay/contract/admin/integrations/ocpi';
import type { WebhookDelivery, WebhookItem } from '@fpay/contract/admin/integrations/webhooks';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { aUser } from '../../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../../testing/render.tsx';
import { serve } from '../../../testing/server.ts';
import { Page as KeysPage } from './keys-page.tsx';
import { Page as PartnersPage } from './partners-page.tsx';
import { Page as WebhookPage } from './webhook-page.tsx';

vi.setConfig({ testTimeout: 30_000 });
afterEach(() => vi.unstubAllGlobals());

const shown = (element: Element) => element.textContent?.replaceAll('\u00a0', ' ') ?? '';
const cache = () => cacheWith({ user: aUser({ role: 'Admin' }) });

const key: ApiKeyItem = {
  id: 1,
  name: 'Бухгалтерія',
  prefix: 'fpk_AbCdEf',
  scopes: ['stations', 'statistics'],
  calls_per_minute: 60,
  staff: 'Олена Коваль',
  state: 'active',
  created_at: '2026-11-17T10:00:00Z',
  expires_at: null,
  last_used_at: null,
  revoked_at: null,
};

it('lists keys with what they may do, creates one, and shows it once', async () => {
  const { sent } = serve({
    'GET /api/admin/integrations/keys': [key, { ...key, id: 2, name: 'Старий', state: 'revoked' }],
    'POST /api/admin/integrations/keys': { id: 3, key: 'fpk_secret' },
  });
  await renderRoutes([{ path: '/admin/integrations', element: <KeysPage /> }], cache(), '/admin/integrations');
  const list = await screen.findByRole('list', { name: 'Ключі API' });
  const [first, second] = within(list).getAllByRole('listitem');
  expect(shown(first as Element)).toContain('Читати станції, Читати статистику · 60 викликів/хв');
  expect(shown(first as Element)).toContain('ще не використовували');
  expect(within(second as HTMLElement).queryByRole('button')).toBeNull();

  fireEvent.click(screen.getByRole('button', { name: 'Створити ключ' }));
  fireEvent.click(await screen.findByRole('button', { name: 'Створити' }));
  expect(await screen.findByText('Вкажіть назву')).toBeTruthy();
  expect(sent.some(({ call }) => call.startsWith('POST'))).toBe(false);
  fireEvent.change(screen.getByLabelText('Назва'), { target: { value: 'Флот' } });
  fireEvent.click(screen.getByLabelText('Читати операції'));
  fireEvent.click(screen.getByRole('button', { name: 'Створити' }));
  expect(await screen.findByText('fpk_secret')).toBeTruthy();
  const request = sent.find(({ call }) => call === 'POST /api/admin/integrations/keys');
  expect(request?.body).toMatchObject({ name: 'Флот', scopes: ['stations', 'operations'], calls_per_minute: 60 });
  fireEvent.click(screen.getByRole('button', { name: 'Збережено' }));
  await waitFor(() => expect(screen.queryByText('fpk_secret')).toBeNull());
});

const webhook: WebhookItem = {
  id: 5,
  name: 'Облік',
  url: 'https://example.org/hook',
  kinds: ['operation.finished'],
  state: 'active',
  failures: 2,
  pending: 1,
  failed: 0,
  created_at: '2026-11-17T10:00:00Z',
};
const delivery: WebhookDelivery = {
  id: 9,
  event: '0b2e6a52-6d9f-4a35-9a4e-6a1f6f0a8f11',
  kind: 'operation.finished',
  operation: 4711,
  status: 'pending',
  created_at: '2026-11-17T10:00:00Z',
  next_at: '2026-11-17T10:05:00Z',
  attempts: 2,
  log: [
    { at: '2026-11-17T10:01:00Z', took_ms: 10_000, http_status: null, error: 'timeout' },
    { at: '2026-11-17T10:00:00Z', took_ms: 12, http_status: 500, error: null },
  ],
};
const webhookRoutes = [{ path: '/admin/integrations/webhooks/:webhook', element: <WebhookPage /> }];

it('shows every attempt of a delivery and sends it again', async () => {
  const { sent } = serve({
    'GET /api/admin/integrations/webhooks': [webhook],
    'GET /api/admin/integrations/webhooks/5/deliveries': [delivery],
    'POST /api/admin/integrations/deliveries/9/redeliver': null,
  });
  await renderRoutes(webhookRoutes, cache(), '/admin/integrations/webhooks/5');
  const log = await screen.findByRole('list', { name: 'Спроби' });
  const attempts = within(log).getAllByRole('listitem').map(shown);
  expect([attempts[0]?.includes('timeout · 10000 мс'), attempts[1]?.includes('HTTP 500 · 12 мс')]).toEqual([
    true,
    true,
  ]);
  expect(screen.getByText('2 помилки поспіль')).toBeTruthy();
  expect(screen.getByRole('link', { name: 'Операція №\u00a04711' }).getAttribute('href')).toBe(
    '/admin/operations/4711',
  );
  fireEvent.click(screen.getByRole('button', { name: 'Надіслати ще раз' }));
  await waitFor(() =>
    expect(sent.map(({ call }) => call)).toContain('POST /api/admin/integrations/deliveries/9/redeliver'),
  );
});

it('a webhook that was paused after failures can be resumed and sends nothing by hand before', async () => {
  const { sent } = serve({
    'GET /api/admin/integrations/webhooks': [{ ...webhook, state: 'paused_by_failures' }],
    'GET /api/admin/integrations/webhooks/5/deliveries': [delivery],
    'DELETE /api/admin/integrations/webhooks/5/pause': null,
  });
  await renderRoutes(webhookRoutes, cache(), '/admin/integrations/webhooks/5');
  expect(await screen.findByText('Призупинено через помилки')).toBeTruthy();
  await screen.findByRole('list', { name: 'Спроби' });
  expect(screen.queryByRole('button', { name: 'Надіслати ще раз' })).toBeNull();
  fireEvent.click(screen.getByRole('button', { name: 'Відновити' }));
  await waitFor(() =>
    expect(sent.map(({ call }) => call)).toContain('DELETE /api/admin/integrations/webhooks/5/pause'),
  );
});

it('lists partners with the address to give to them; one that has ended cannot be changed', async () => {
  const partner: OcpiPartnerItem = {
    id: 1,
    name: 'Plugs',
    country_code: 'PL',
    party_id: 'PLG',
    status: 'registered',
    created_at: '2026-11-17T10:00:00Z',
    registered_at: '2026-11-17T11:00:00Z',
    last_used_at: null,
  };
  serve({
    'GET /api/admin/integrations/ocpi': {
      versions_url: 'https://charge.example/ocpi/versions',
      partners: [partner, { ...partner, id: 2, status: 'ended' }],
    },
  });
  await renderRoutes(
    [{ path: '/admin/integrations/ocpi', element: <PartnersPage /> }],
    cache(),
    '/admin/integrations/ocpi',
  );
  const list = await screen.findByRole('list', { name: 'Партнери OCPI' });
  const [first, second] = within(list).getAllByRole('listitem');
  expect(shown(first as Element)).toContain('PL*PLG');
  expect(within(first as HTMLElement).getAllByRole('button')).toHaveLength(2);
  expect(within(second as HTMLElement).queryByRole('button')).toBeNull();
  expect(screen.getByText('https://charge.example/ocpi/versions')).toBeTruthy();
});
