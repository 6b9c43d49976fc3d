import type { Page } from '@playwright/test';
import { demoPassword } from '../../apps/server/src/demo/accounts.ts';
import { createTestClient } from '../../apps/server/src/testing/client.ts';
import { people } from '../../e2e/support/test.ts';
import type { Look, Screen } from './screen.ts';

/** Owners sit at a computer as often as they use a phone. */
const looks = ['uk light', 'uk dark 1440', 'en light', 'pl light 320'] as const satisfies Look[];
const owner = people.partyOwner;
const member = '+380500000004';
/** The owner of the open party invites the driver. */
const otherOwner = '+380500000006';

async function invite(): Promise<void> {
  const client = createTestClient(process.env.FPAY_URL ?? '');
  await client.mutate('POST', '/api/login', { phone_number: otherOwner, password: demoPassword });
  await client.mutate('POST', '/api/party/invitations', { phone_number: people.driver });
}

const openActions = async (page: Page) => {
  await page.getByRole('listitem').filter({ hasText: 'Ірина Бондар' }).getByRole('button').last().click();
  await page.getByRole('dialog').waitFor();
};

const showInvitation = (page: Page) => page.getByText('Еко Таксі').waitFor();

export const partyScreens: readonly Screen[] = [
  { name: 'party', path: '/party', as: owner, looks },
  { name: 'party-member-actions', path: '/party', as: owner, looks: ['uk light'], act: openActions },
  { name: 'party-stats', path: '/party?tab=stats', as: owner, looks },
  { name: 'party-operations', path: '/party?tab=operations', as: owner, looks },
  { name: 'party-member', path: '/party', as: member, looks: ['uk light', 'uk dark 1440', 'en light'] },
  { name: 'party-invitation', path: '/account', as: people.driver, looks, before: invite, act: showInvitation },
];
