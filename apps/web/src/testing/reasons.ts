import type { ListedReason } from '@fpay/contract/admin/reasons';
import { fireEvent, screen } from '@testing-library/react';

export const reasonsCall = 'GET /api/admin/reasons';
const kinds: ListedReason['kinds'] = ['refund', 'give', 'take', 'settle', 'force', 'ban'];
/** A list with one reason that fits every action. */
export const aReasonList: ListedReason[] = [
  { id: 1, texts: { uk: 'На прохання водія', en: 'At the driver’s request', pl: 'Na prośbę kierowcy' }, kinds },
];
export const listedReason = 'На прохання водія';

/** Chooses it in the popup that is open. */
export async function chooseReason(): Promise<void> {
  fireEvent.click(await screen.findByRole('radio', { name: listedReason }));
}
