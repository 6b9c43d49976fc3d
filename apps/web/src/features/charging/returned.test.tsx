import { kopecks } from '@fpay/contract/money';
import { screen, within } from '@testing-library/react';
import { expect, it, vi } from 'vitest';
import { pass } from '../../testing/server.ts';
import { openStatusPage as openStatus, prepareStatusScreen } from '../../testing/status-screen.tsx';

vi.mock('../../api/realtime.ts', () => ({ connectRealtime: vi.fn() }));

prepareStatusScreen();

const asked_at = '2026-11-15T14:18:00Z';
const ended_at = '2026-11-15T14:20:00Z';
const one = { amount: kopecks(100_00), asked_at };

const charge = { status: 'finished', payment_type: 'bank', card: '*4821', amount: 435_00, total: 424_85 } as const;

const opened = async (changes: object) => {
  await openStatus({ ...charge, ...changes } as never);
  await pass(100);
  return screen.getByRole('heading', { name: /100,00\s₴/ });
};

it('names what went back, why, and what stays, and its lines add up to the deposit', async () => {
  const returns = [{ ...one, state: 'done', ended_at, reason: 'зарядка обірвалася' }];
  const heading = await opened({ refunded: { amount: 100_00, returns } });
  expect(heading.textContent).toMatch(/^Повернули/);
  expect(screen.getByText('на картку *4821')).toBeTruthy();
  expect(screen.getByText('зарядка обірвалася')).toBeTruthy();
  const stages = within(heading.closest('section') as HTMLElement).getAllByRole('listitem');
  expect(stages.map(({ textContent }) => textContent)).toEqual([
    expect.stringMatching(/^Вирішили15 лист.*16:18$/),
    expect.stringMatching(/^Надіслали15 лист.*16:20$/),
    'Банк зарахуєдо\u00a018 листопада',
  ]);
  const sums = within(screen.getByLabelText('Розрахунок'));
  expect(sums.getAllByRole('definition').map(({ textContent }) => textContent)).toEqual([
    '435,00\u00a0₴',
    '10,15\u00a0₴',
    '424,85\u00a0₴',
    '−100,00\u00a0₴',
    '324,85\u00a0₴',
  ]);
});

it.each([
  ['sent', null, /^Повертаємо/, /^Надсилаємо$/],
  ['refused', ended_at, /^Банк не повернув/, /^Банк відмовив$/],
] as const)('a return that is %s says so', async (state, ended, title, stage) => {
  const amount = state === 'refused' ? 0 : 100_00;
  const heading = await opened({ refunded: { amount, returns: [{ ...one, state, ended_at: ended, reason: null }] } });
  expect(heading.textContent).toMatch(title);
  expect(screen.getByText(stage)).toBeTruthy();
  expect(screen.queryByText('Чому:')).toBeNull();
});

it('a charge from the balance has its money back at once', async () => {
  const returns = [{ ...one, state: 'done', ended_at: asked_at, reason: null }];
  const heading = await opened({ payment_type: 'bonuses', card: null, refunded: { amount: 100_00, returns } });
  expect(screen.getByText('на баланс')).toBeTruthy();
  expect(within(heading.closest('section') as HTMLElement).queryAllByRole('listitem')).toEqual([]);
});
