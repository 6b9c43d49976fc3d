import { addParty } from '@fpay/contract/admin/network/parties';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { ApiError } from '../../../api/errors.ts';
import { renderPart } from '../../../testing/render.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { usePopups } from '../../../ui/overlay/popups.ts';
import { contractRules, useForm } from './use-form.ts';

const start = { name: '', owner: '0671234567' };
const rules = contractRules(addParty.body, (typed: typeof start) => ({ ...typed, is_closed: false }), {
  name: { path: 'name', text: 'network:nameNeeded' },
  owner: { path: 'owner', text: 'network:wrongUser' },
});

function PartyForm({ send }: { send: () => Promise<unknown> }) {
  const form = useForm({ start, rules, send, onSuccess: () => form.change({ name: 'Saved' }) });
  return (
    <form {...form.props}>
      <Field label="Name" {...form.field('name')} />
      <Field label="Owner" {...form.field('owner')} />
      <button type="submit">Save</button>
    </form>
  );
}

const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);
const type = (label: string, value: string) => fireEvent.change(field(label), { target: { value } });
const save = () => fireEvent.click(screen.getByRole('button', { name: 'Save' }));
const isInvalid = (label: string) => field(label).getAttribute('aria-invalid') === 'true';
const refusal = (errors: Record<string, string[]>) =>
  new ApiError({ status: 422, message: 'No', code: null, errors, retryAfter: null, serverTime: null });

it('sends nothing while the contract refuses it, and shows the errors at their fields', async () => {
  const send = vi.fn(async () => null);
  renderPart(<PartyForm send={send} />);
  type('Owner', 'nobody');
  save();
  await waitFor(() => expect(document.activeElement).toBe(field('Name')));
  expect([isInvalid('Name'), isInvalid('Owner'), send.mock.calls.length]).toEqual([true, true, 0]);
  type('Name', 'Such a party');
  expect([isInvalid('Name'), isInvalid('Owner')]).toEqual([false, false]);
  type('Owner', '0671234567');
  save();
  await waitFor(() => expect(field('Name').value).toBe('Saved'));
});

it('shows a refusal at its field, and every other error in a popup', async () => {
  const send = vi.fn<() => Promise<unknown>>();
  renderPart(<PartyForm send={send} />);
  type('Name', 'Such a party');
  send.mockRejectedValueOnce(refusal({ owner: ['There is no such user.'] }));
  save();
  await waitFor(() => expect(isInvalid('Owner')).toBe(true));
  expect(usePopups.getState().waiting).toEqual([]);
  send.mockRejectedValueOnce(refusal({}));
  save();
  await waitFor(() => expect(usePopups.getState().waiting).toHaveLength(1));
  expect([isInvalid('Owner'), field('Name').value]).toEqual([false, 'Such a party']);
});
