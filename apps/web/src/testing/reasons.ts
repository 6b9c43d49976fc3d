import type { ListedReason } from '@fpay/contract/admin/reasons';
import { languages } from '@fpay/contract/languages';
import { fireEvent, screen } from '@testing-library/react';

export const reasonsCall = 'GET /api/admin/reasons';
const kinds: ListedReason['kinds'] = ['refund', 'give', 'take', 'settle', 'force', 'ban'];
export const listedReason = 'На прохання водія';
const texts = Object.fromEntries(languages.map((language) => [language, listedReason])) as ListedReason['texts'];
/** A list with one reason that fits every action. */
export const aReasonList: ListedReason[] = [{ id: 1, texts, kinds }];

/** Chooses it in the popup that is open. */
export async function chooseReason(): Promise<void> {
  fireEvent.click(await screen.findByRole('radio', { name: listedReason }));
}
