import type { Effect } from '@fpay/contract/admin/effect';
import { kopecks } from '@fpay/contract/money';
import type { Role } from '@fpay/contract/roles';
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { createAppRoutes } from '../../../app/routes/routes.tsx';
import { text } from '../../../i18n/i18n.ts';
import { aStaffOperation } from '../../../testing/operation.ts';
import { aUser } from '../../../testing/people.ts';
import { aReasonList, chooseReason, listedReason, reasonsCall } from '../../../testing/reasons.ts';
import { cacheWith, renderRoutes } from '../../../testing/render.tsx';
import { RefusedAnswer, serve } from '../../../testing/server.ts';
import { linePath } from './curve.tsx';

vi.setConfig({ testTimeout: 30_000 });

const messages = vi.hoisted(() => ({
  groups: [] as string[],
  send: null as (() => void) | null,
  join: null as (() => void) | null,
}));
vi.mock('../../../api/realtime.ts', () => ({
  connectRealtime: () => ({
    listen(group: string, onMessage: () => void, onJoined: () => void) {
      // The frame around the page listens for the whole network.
      if (group === 'staff') return;
      messages.groups.push(group);
      messages.send = onMessage;
      messages.join = onJoined;
    },
    stop() {},
  }),
}));

const anEffect = (rest: Partial<Effect> = {}): Effect => ({
  is_allowed: true,
  refusal: null,
  operation: null,
  payment: null,
  energy: null,
  total: null,
  money: [],
  command: null,
  needs_approval: false,
  ...rest,
});

const detailCall = 'GET /api/admin/operation/480215';
const previewCall = 'POST /api/admin/operation/preview/480215';
const logCall = 'GET /api/admin/logs/operation/480215';
const log = '14:32:01 bank hold.created\n14:32:19 op created → pending\n14:52:33 ocpp heartbeat late\n';

async function openOperation({
  operation = aStaffOperation() as unknown,
  role = 'SuperAdmin' as Role,
  answers = {} as Record<string, unknown>,
} = {}) {
  const server = serve({
    'GET /api/admin/today?tz=Europe%2FKyiv': new RefusedAnswer(500),
    [detailCall]: operation,
    [logCall]: log,
    'GET /api/admin/operation/timeline/480215': [
      { kind: 'opened', at: '2025-11-15T12:31:58Z', amount: 362_50, text: 'app' },
      { kind: 'started', at: '2025-11-15T12:32:44Z', amount: null, text: null },
      { kind: 'ended', at: '2025-11-15T12:53:00Z', amount: 267_09, text: 'finished' },
    ],
    'GET /api/admin/operation/curve/480215': {
      began_at: '2025-11-15T12:32:44Z',
      seconds: [0, 600, 1200],
      energy: [0, 5000, 11_000],
      power: [10_000, null, 47_300],
    },
    'GET /api/admin/notes/operation/480215': [],
    [previewCall]: anEffect(),
    [reasonsCall]: aReasonList,
    ...answers,
  });
  const queryClient = cacheWith({ user: aUser({ role }) });
  const drawn = await renderRoutes(createAppRoutes(queryClient), queryClient, '/admin/operations/480215');
  await act(async () => undefined);
  return { server, ...drawn };
}

const button = (name: string | RegExp) => screen.getByRole<HTMLButtonElement>('button', { name });
const shown = (element: Element | null | undefined) => element?.textContent?.replaceAll('\u00a0', ' ');

/** Opens an action's popup, with its effect. */
async function openAction(label: string) {
  fireEvent.click(button(label));
  // The points say that the button only opens a question; the question does not need them.
  return within(await screen.findByRole('dialog', { name: label.replace('…', '') }));
}
const effect = async () => shown(await screen.findByRole('region', { name: 'Що станеться' }));
const confirmButton = () => button('Виконати');
/** With a reason where the action asks for one. */
async function confirmAction(asksReason = false) {
  if (asksReason) await chooseReason();
  await waitFor(() => expect(confirmButton().disabled).toBe(false));
  fireEvent.click(confirmButton());
}
const result = async () => shown(await screen.findByRole('status'));

describe('the view of an operation', () => {
  it('shows the operation, and the list instead when it cannot be loaded [ADM-OP-08]', async () => {
    const { router } = await openOperation();
    expect(screen.getByRole('heading', { name: 'Операція №\u00a0480215' })).toBeTruthy();
    expect(router.state.location.pathname).toBe('/admin/operations/480215');
  });

  it('redirects to the list when the operation does not exist [ADM-OP-08]', async () => {
    const lists = {
      'POST /api/admin/operations/last/50': [],
      'POST /api/admin/operations/count': { count: 0, is_more: false },
    };
    const { router } = await openOperation({ operation: new RefusedAnswer(404), answers: lists });
    expect(router.state.location.pathname).toBe('/admin/operations');
  });

  it('draws actions about own money grey with the reason before the press, and stops stay [ADM-OP-30]', async () => {
    const reason = 'Це ваші гроші: попросіть колегу';
    const actions = ['soft_stop', 'reset', 'remote_stop'] as const;
    await openOperation({ operation: aStaffOperation({ own_money: 'own', actions: [...actions] }) });
    const button = (name: string) => screen.getByRole('button', { name }) as HTMLButtonElement;
    expect(screen.getByText(reason)).toBeTruthy();
    for (const label of [
      text('adminOperations:finish'),
      text('adminOperations:forceStatus'),
      text('adminOperations:cancelPayment'),
    ]) {
      expect([label, button(label).disabled, button(label).title]).toEqual([label, true, reason]);
    }
    for (const label of [
      text('adminOperations:softStop'),
      text('adminOperations:resetStation'),
      text('adminOperations:remoteStop'),
    ])
      expect([label, button(label).disabled, button(label).title]).toEqual([label, false, '']);
  });

  it('searches the log [ADM-OP-09]', async () => {
    await openOperation();
    const lines = () => screen.getByRole('region', { name: 'Журнал' }).textContent;
    expect(await screen.findByText(/heartbeat late/)).toBeTruthy();
    fireEvent.change(screen.getByLabelText('Пошук у журналі'), { target: { value: 'HOLD' } });
    expect(lines()).toBe('14:32:01 bank hold.created');
    fireEvent.change(screen.getByLabelText('Пошук у журналі'), { target: { value: '4821' } });
    expect(lines()).toBe('"4821" Not Found');
  });

  it('shows the status when the log cannot be read [ERR-30]', async () => {
    await openOperation({ answers: { [logCall]: new RefusedAnswer(403) } });
    expect((await screen.findByText(/^ERROR/)).textContent).toBe('ERROR 403');
  });

  it('toggles between the log and the data [ADM-OP-10]', async () => {
    await openOperation();
    fireEvent.click(screen.getByLabelText('Дані'));
    expect(screen.queryByLabelText('Пошук у журналі')).toBeNull();
    const value = (name: string) => shown(screen.getByText(name).nextElementSibling);
    expect(value('invoice_id')).toBe('p2_9fKxR4tq');
    expect([value('stop_reason'), value('finished_at')]).toEqual(['MISSING', '0000-00-00 00:00']);
  });

  it('has a button to the user [ADM-OP-11]', async () => {
    await openOperation();
    expect(screen.getByRole('link', { name: 'Користувач' }).getAttribute('href')).toBe('/admin/users/7');
  });

  it('refreshes by a key and by the operation’s messages [ADM-OP-12]', async () => {
    const { server } = await openOperation();
    const before = server.times(detailCall);
    fireEvent.keyDown(document.body, { code: 'KeyR' });
    await waitFor(() => expect(server.times(detailCall)).toBeGreaterThan(before));
    expect(messages.groups).toContain('operation-480215');
    const afterKey = server.times(logCall);
    act(() => messages.send?.());
    await waitFor(() => expect(server.times(logCall)).toBeGreaterThan(afterKey));
  });

  it('reads again what changed before it could listen: the bank may have confirmed a refund by then', async () => {
    const { server } = await openOperation();
    const before = server.times(detailCall);
    act(() => messages.join?.());
    await waitFor(() => expect(server.times(detailCall)).toBeGreaterThan(before));
  });

  it('has its number as the title, and its state in words and badges, also where there is little room', async () => {
    await openOperation();
    const heading = screen.getByRole('heading', { level: 1, name: 'Операція №\u00a0480215' });
    expect(shown(heading.nextElementSibling as Element)).toMatch(/15.11.2025, 14:31 · Застосунок · Картка$/);
    expect(screen.getByText(/просп\. Слобожанський, 31Д/)).toBeTruthy();
    expect(screen.getByText(/F1400 · CCS2 № 1/)).toBeTruthy();
  });

  it('shows the timeline and the curve', async () => {
    await openOperation();
    const steps = within(await screen.findByRole('list', { name: 'Перебіг' })).getAllByRole('listitem');
    expect(steps.map(shown)).toEqual([
      'Відкрито14:31362,50 ₴ · Застосунок',
      'Зарядка почалася14:32',
      'Завершено14:53267,09 ₴ · FIN',
    ]);
    expect(shown(await screen.findByText(/до/, { selector: 'li' }))).toBe('до 47,3 кВт');
    expect(linePath([0, 5, 10], [10, null, 20], 20)).toBe('M0 80M600 0');
  });

  it('says in the timeline what became of a request to a colleague', async () => {
    const said = (kind: string) => ({ kind: 'staff', at: '2025-11-15T12:53:00Z', amount: null, text: kind });
    const timeline = [
      said('payment.request-payment-action by Ірина'),
      said('payment.decline-payment-action by Олег'),
      said('payment.finalize by Олег'),
    ];
    await openOperation({ answers: { 'GET /api/admin/operation/timeline/480215': timeline } });
    const steps = within(await screen.findByRole('list', { name: 'Перебіг' })).getAllByRole('listitem');
    expect(steps.map((step) => step.lastElementChild?.lastElementChild?.textContent)).toEqual([
      'Ірина: попросили повернути гроші, чекає на колегу',
      'Олег: запит відхилено',
      'payment.finalize by Олег',
    ]);
  });

  it('adds a note of staff', async () => {
    const call = 'POST /api/admin/notes/operation/480215';
    const note = { id: 1, staff: { id: 7, name: 'Олена' }, text: 'телефонувала', created_at: '2025-11-15T13:04:02Z' };
    const { server } = await openOperation({ answers: { [call]: note } });
    fireEvent.change(screen.getByLabelText('Нотатка для колег'), { target: { value: ' телефонувала ' } });
    fireEvent.click(button('Додати'));
    await waitFor(() => expect(server.bodyOf(call)).toMatchObject({ text: 'телефонувала' }));
  });

  it('shows what the bank knows about the payment [ADM-OP-26]', async () => {
    const info = { masked_pan: '4444 **** 4821', rrn: '060189', amount: 362_50, final_amount: null, status: 'hold' };
    const rest = { return_rrn: null, return_status: null, return_amount: null };
    await openOperation({ answers: { 'GET /api/admin/payment/info/391': { ...info, ...rest } } });
    fireEvent.click(button('Дані платежу'));
    const popup = within(await screen.findByRole('dialog', { name: 'Дані платежу' }));
    expect(await popup.findByText('4444 **** 4821')).toBeTruthy();
    expect(popup.getAllByRole('term').map(shown)).toEqual([
      'masked_pan',
      'rrn',
      'amount',
      'final_amount',
      'status',
      'return_rrn',
      'return_status',
      'return_amount',
    ]);
  });

  it('says that the payment could not be read [ERR-31]', async () => {
    await openOperation({ answers: { 'GET /api/admin/payment/info/391': new RefusedAnswer(500) } });
    fireEvent.click(button('Дані платежу'));
    expect(await screen.findByText('Не вдалося отримати дані платежу')).toBeTruthy();
  });
});

describe('the actions of an operation', () => {
  const info = {
    masked_pan: null,
    rrn: null,
    amount: 362_50,
    final_amount: 100_50,
    status: 'success',
    approval_id: null,
  };
  const answer = { ...info, return_rrn: null, return_status: null, return_amount: null };

  it('are those of the role; the ones that make no sense now are disabled', async () => {
    await openOperation({ role: 'Support', operation: aStaffOperation({ actions: ['soft_stop', 'force_status'] }) });
    expect([button('Зупинити').disabled, button('Запустити').disabled]).toEqual([false, true]);
    expect(screen.queryByRole('button', { name: 'Зняти холд' })).toBeNull();
  });

  it('are none for a role that only watches', async () => {
    await openOperation({ role: 'Analytic', operation: aStaffOperation({ actions: [] }) });
    expect(screen.queryByRole('region', { name: 'М’які' })).toBeNull();
  });

  it('show their exact effect before, and the result after [ADM-OP-13]', async () => {
    const call = 'PATCH /api/admin/status/operation/480215';
    const { server } = await openOperation({
      answers: {
        [previewCall]: anEffect({
          operation: { from: 'ongoing', to: 'finished' },
          payment: { from: 'hold', to: 'success' },
          money: [
            { kind: 'capture', amount: kopecks(267_09) },
            { kind: 'release', amount: kopecks(95_41) },
          ],
          command: 'RemoteStopTransaction',
        }),
        [call]: { status: 'finished', approval_id: null },
      },
    });
    const popup = await openAction('Статус операції…');
    expect(confirmButton().disabled).toBe(true);
    for (const preset of ['canceled', 'failed', 'finished', 'ongoing'])
      expect(popup.getByLabelText(preset)).toBeTruthy();
    fireEvent.click(popup.getByLabelText('finished'));
    expect(await effect()).toBe(
      'Що станетьсяСтатус операції: ongoing finishedОплата: hold successСпишемо 267,09 ₴.Розблокуємо на картці 95,41 ₴.' +
        'Станція отримає команду RemoteStopTransaction.Дія з’явиться в журналі з вашим ім’ям.',
    );
    expect(server.times(call)).toBe(0);
    await confirmAction(true);
    expect(await result()).toBe('Готово. Статус операції: finished');
    expect(server.bodyOf(call)).toMatchObject({ status: 'finished', override: true, reason: listedReason });
  });

  it('cannot be sent without a reason, which may be typed', async () => {
    const call = 'DELETE /api/admin/payment/hold/391';
    const { server } = await openOperation({ answers: { [call]: answer } });
    const popup = await openAction('Зняти холд');
    await effect();
    expect(confirmButton().disabled).toBe(true);
    fireEvent.click(await popup.findByLabelText('Інше'));
    expect(confirmButton().disabled).toBe(true);
    fireEvent.change(popup.getByLabelText('Причина вашими словами'), { target: { value: ' Двічі оплатив ' } });
    await confirmAction();
    await result();
    expect(server.bodyOf(call)).toMatchObject({ reason: 'Двічі оплатив' });
  });

  it('ask a colleague for a refund, in a role that may not return money itself', async () => {
    const call = 'POST /api/admin/payment/refund-request/391';
    const captured = aStaffOperation({ actions: [], status: 'finished', hold_status: 'success' });
    const { server } = await openOperation({
      role: 'Support',
      operation: captured,
      answers: { [call]: { approval_id: 4 } },
    });
    const popup = await openAction('Попросити повернути…');
    fireEvent.change(popup.getByLabelText('Сума'), { target: { value: '20' } });
    await confirmAction(true);
    expect(await result()).toMatch(/Запит надіслано/);
    expect(server.bodyOf(call)).toMatchObject({ amount: 20_00, reason: listedReason });
  });

  it.each([
    ['Operator', 'success'],
    ['Analytic', 'success'],
    ['Support', 'hold'],
  ] as const)('%s with a payment in %s has no button to ask for a refund', async (role, hold) => {
    await openOperation({ role, operation: aStaffOperation({ actions: [], hold_status: hold }) });
    expect(screen.queryByRole('button', { name: 'Попросити повернути…' })).toBeNull();
  });

  it('ask for a reason in an empty field when the network has no list', async () => {
    await openOperation({ answers: { [reasonsCall]: [] } });
    expect(await (await openAction('Зняти холд')).findByRole('textbox', { name: 'Причина' })).toBeTruthy();
  });

  it('force the hold to a preset or a custom status [ADM-OP-14]', async () => {
    const call = 'PATCH /api/admin/status/hold/391';
    const { server } = await openOperation({ answers: { [call]: { status: 'expired', approval_id: null } } });
    const popup = await openAction('Статус холду…');
    for (const preset of ['hold', 'failure', 'reversed', 'success']) expect(popup.getByLabelText(preset)).toBeTruthy();
    fireEvent.change(popup.getByLabelText('Інший статус'), { target: { value: 'expired' } });
    await confirmAction(true);
    expect(await result()).toBe('Готово. Статус платежу: expired');
    expect(server.bodyOf(call)).toMatchObject({ status: 'expired', override: true });
  });

  it('ignore a custom value when a preset is chosen [ADM-OP-15]', async () => {
    const { server } = await openOperation();
    const popup = await openAction('Статус операції…');
    fireEvent.change(popup.getByLabelText('Інший статус'), { target: { value: 'pending' } });
    fireEvent.click(popup.getByLabelText('canceled'));
    await waitFor(() =>
      expect(server.sent.findLast(({ call }) => call === previewCall)?.body).toMatchObject({ status: 'canceled' }),
    );
  });

  it.each([
    ['Запустити', 'POST /api/admin/operation/soft-start/480215', '[ADM-OP-16]'],
    ['Зупинити', 'POST /api/admin/operation/soft-stop/480215', '[ADM-OP-17]'],
    ['Скасувати', 'POST /api/admin/operation/soft-cancel/480215', '[ADM-OP-18]'],
    ['Завершити за останнім показанням', 'PATCH /api/admin/operation/stop-message/480215', '[ADM-OP-19]'],
  ])('%s calls %s after its preview %s', async (label, call) => {
    const { server } = await openOperation({ answers: { [call]: { status: 'finishing', approval_id: null } } });
    await openAction(label);
    await confirmAction(label.startsWith('Завершити'));
    expect(await result()).toBe('Готово. Статус операції: finishing');
    expect([server.times(previewCall), server.times(call)]).toEqual([1, 1]);
  });

  it.each([
    ['Зняти холд', '', 'DELETE /api/admin/payment/hold/391', {}, '[ADM-OP-20]'],
    ['Списати суму…', '100,50', 'POST /api/admin/payment/391', { amount: 100_50 }, '[ADM-OP-21]'],
    ['Повернути кошти…', '', 'DELETE /api/admin/payment/391', {}, '[ADM-OP-22]'],
    ['Повернути кошти…', '20', 'DELETE /api/admin/payment/391', { amount: 20_00 }, '[ADM-OP-22]'],
  ])('%s with %j calls %s with %j %s', async (label, amount, call, body, _id) => {
    const { server } = await openOperation({ answers: { [call]: answer } });
    const popup = await openAction(label);
    if (amount) fireEvent.change(popup.getByLabelText('Сума'), { target: { value: amount } });
    await confirmAction(true);
    expect(await result()).toBe('Готово. Статус платежу: success');
    const { signature: _signature, ...sent } = server.bodyOf(call) ?? {};
    expect(sent).toEqual({ ...body, reason: listedReason });
  });

  it('force the energy, with or without the total [ADM-OP-23]', async () => {
    const call = 'PATCH /api/admin/operation/480215';
    const { server } = await openOperation({
      answers: { [call]: { energy: 12_345, total: 179_00, change: -88_09, approval_id: null } },
    });
    const popup = await openAction('Енергія…');
    fireEvent.change(popup.getByLabelText('Енергія'), { target: { value: '12,345' } });
    fireEvent.click(popup.getByLabelText('Обчислити суму заново'));
    await confirmAction(true);
    expect(await result()).toBe('Готово. Енергія 12,35 кВт·год, разом 179,00 ₴');
    expect(server.bodyOf(call)).toMatchObject({ energy: 12_345, update_total: false });
  });

  it('force the energy together with the total [ADM-OP-23]', async () => {
    const call = 'PATCH /api/admin/operation/480215';
    const { server } = await openOperation({
      answers: { [call]: { energy: 12_345, total: 179_00, change: -88_09, approval_id: null } },
    });
    const popup = await openAction('Енергія…');
    fireEvent.change(popup.getByLabelText('Енергія'), { target: { value: '12,345' } });
    const withTotal = popup.getByLabelText('Обчислити суму заново');
    expect(withTotal).toHaveProperty('checked', true);
    await confirmAction(true);
    await result();
    expect(server.bodyOf(call)).toMatchObject({ energy: 12_345, update_total: true });
  });

  it.each(['Soft', 'Hard'] as const)('reset the station in mode %s and show its answer [ADM-OP-24]', async (mode) => {
    const call = 'POST /api/admin/command';
    const { server } = await openOperation({ answers: { [call]: { outcome: 'answered', status: 'Accepted' } } });
    const popup = await openAction('RESET…');
    fireEvent.click(popup.getByLabelText(mode));
    await confirmAction();
    expect(await result()).toBe('Станція відповіла: Accepted');
    expect(server.bodyOf(call)).toMatchObject({ command: 'reset', payload: { chargePointId: 14, resetType: mode } });
  });

  it('send a remote stop; a station that is offline is a result too [ADM-OP-25]', async () => {
    const call = 'POST /api/admin/command';
    const { server } = await openOperation({ answers: { [call]: { outcome: 'offline', status: null } } });
    await openAction('REMOTE STOP');
    await confirmAction();
    expect(await result()).toBe('Станція не на зв’язку');
    const payload = { chargePointId: 14, transactionId: 88213 };
    expect(server.bodyOf(call)).toMatchObject({ command: 'remotestoptransaction', payload });
  });

  it('alert the reason and close their popup when they fail [ERR-32]', async () => {
    await openOperation({
      answers: { 'POST /api/admin/command': new RefusedAnswer(404, { message: 'No', code: 'not_found' }) },
    });
    await openAction('REMOTE STOP');
    await confirmAction();
    await waitFor(() => expect(screen.queryByRole('dialog', { name: 'REMOTE STOP' })).toBeNull());
    expect(await screen.findByRole('button', { name: 'OK' })).toBeTruthy();
  });

  it('cannot be confirmed when the preview says that they would be refused', async () => {
    await openOperation({
      answers: { [previewCall]: anEffect({ is_allowed: false, refusal: 'action_not_applicable' }) },
    });
    await openAction('Запустити');
    expect(await screen.findByRole('alert')).toBeTruthy();
    expect(confirmButton().disabled).toBe(true);
  });
});
