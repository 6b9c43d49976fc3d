import { act, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { aParty, names, openParty, shown } from '../../testing/party.tsx';
import { RefusedAnswer } from '../../testing/server.ts';

vi.setConfig({ testTimeout: 30_000 });
afterEach(() => void vi.restoreAllMocks());

describe('the owner’s view', () => {
  it('has the name, the explained label of a closed party and three tabs [PARTY-01] [PARTY-02]', async () => {
    await openParty({ 'GET /api/party/data': aParty() });
    expect(await screen.findByRole('heading', { level: 1, name: 'Зелений парк' })).toBeTruthy();
    expect(screen.getAllByRole('tab').map(shown)).toEqual(['Учасники', 'Статистика', 'Операції']);
    expect(screen.getByText('3 учасники')).toBeTruthy();
    fireEvent.click(screen.getByText('Закрита група'));
    expect(await screen.findByText(/Гроші закритої групи можна переказувати лише між її учасниками/)).toBeTruthy();
  });

  it('shows no label for an open party [PARTY-01]', async () => {
    await openParty({ 'GET /api/party/data': aParty({ is_closed: false }) });
    await screen.findByText('3 учасники');
    expect(screen.queryByText('Закрита група')).toBeNull();
  });

  it('lists members with their figures, sorted and searched [PARTY-04] [PARTY-05] [PARTY-06]', async () => {
    await openParty({ 'GET /api/party/data': aParty() });
    await screen.findByText('3 учасники');
    expect(names()).toEqual(['Ігор', 'Олена', 'Богдан']);
    const row = screen.getByLabelText('Ігор');
    expect(shown(row)).toContain('24 год1,0');
    expect(shown(row)).toContain('7 днів300,0');
    expect(shown(row)).toContain('Баланс640,00 ₴');
    expect(shown(row)).toContain('2 зарядки за 24 год · останній вхід');
    const order = screen.getByLabelText('Порядок');
    fireEvent.change(order, { target: { value: 'day' } });
    expect(names()).toEqual(['Олена', 'Ігор', 'Богдан']);
    fireEvent.change(order, { target: { value: 'number' } });
    expect(names()).toEqual(['Богдан', 'Ігор', 'Олена']);
    fireEvent.change(screen.getByLabelText('Ім’я або номер'), { target: { value: 'ОЛЕ' } });
    expect(names()).toEqual(['Олена']);
  });

  it('sends money to a member, never to oneself, refuses a comma and reloads after 2 s [PARTY-07] [PARTY-08] [VAL-17]', async () => {
    const { server } = await openParty({
      'GET /api/party/data': aParty(),
      'POST /api/party/gift': { balance: 900_00 },
    });
    await screen.findByText('3 учасники');
    expect(screen.queryByLabelText('Дії: Богдан')).toBeNull();
    fireEvent.click(screen.getByLabelText('Дії: Ігор'));
    fireEvent.click(await screen.findByRole('button', { name: 'Переказати гроші' }));
    const amount = await screen.findByLabelText('Сума');
    const send = () => fireEvent.click(screen.getByRole('button', { name: 'Переказати гроші' }));
    for (const [typed, fault] of [
      ['10,5', 'Замість коми поставте крапку'],
      ['1.555', 'Неправильна сума'],
      ['0', 'Неправильна сума'],
      ['1000.01', 'Недостатньо коштів на балансі'],
    ] as const) {
      fireEvent.change(amount, { target: { value: typed } });
      send();
      expect(await screen.findByText(fault)).toBeTruthy();
    }
    expect(server.times('POST /api/party/gift')).toBe(0);
    fireEvent.change(amount, { target: { value: '100' } });
    send();
    const question = await screen.findByRole('dialog', { name: /Переказати 100,00/ });
    const reads = () => server.times('GET /api/party/data');
    const before = reads();
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    fireEvent.click(within(question).getByRole('button', { name: 'Переказати гроші' }));
    // The call is signed by the browser's own threads, which no clock of a test moves.
    while (!screen.queryByText('Гроші переказано')) {
      await act(() => vi.advanceTimersByTimeAsync(0));
      await act(() => new Promise((done) => setImmediate(done)));
    }
    expect(server.bodyOf('POST /api/party/gift')).toMatchObject({ members: [2], amount: 100_00 });
    await act(() => vi.advanceTimersByTimeAsync(1_900));
    expect(reads()).toBe(before);
    await act(() => vi.advanceTimersByTimeAsync(200));
    expect(reads()).toBe(before + 1);
  });

  it('renames a member with at least three characters [PARTY-09] [VAL-21]', async () => {
    const { server } = await openParty({
      'GET /api/party/data': aParty(),
      'PATCH /api/party/members/2': { name: 'Ігор Савченко' },
    });
    await screen.findByText('3 учасники');
    fireEvent.click(screen.getByLabelText('Дії: Ігор'));
    fireEvent.click(await screen.findByRole('button', { name: 'Змінити ім’я' }));
    const name = await screen.findByLabelText('Ім’я');
    const save = () => fireEvent.click(screen.getByRole('button', { name: 'Зберегти' }));
    fireEvent.change(name, { target: { value: ' ' } });
    save();
    expect(await screen.findByText('Введіть ім’я')).toBeTruthy();
    fireEvent.change(name, { target: { value: 'Ян' } });
    expect(await screen.findByText('Щонайменше 3 символи')).toBeTruthy();
    fireEvent.change(name, { target: { value: 'Ігор Савченко' } });
    save();
    await waitFor(() => expect(server.bodyOf('PATCH /api/party/members/2')).toMatchObject({ name: 'Ігор Савченко' }));
  });

  it('resets a password after a question, shows it once and copies it on a press [PARTY-10] [PARTY-11]', async () => {
    const written: string[] = [];
    vi.stubGlobal('navigator', {
      ...navigator,
      clipboard: { writeText: async (text: string) => void written.push(text) },
    });
    const { server } = await openParty({
      'GET /api/party/data': aParty(),
      'POST /api/party/reset/2': { success: true, new_password: 'abcd2345efgh' },
    });
    await screen.findByText('3 учасники');
    fireEvent.click(screen.getByLabelText('Дії: Ігор'));
    fireEvent.click(await screen.findByRole('button', { name: 'Скинути пароль' }));
    const question = await screen.findByRole('dialog', { name: 'Скинути пароль: Ігор?' });
    expect(server.times('POST /api/party/reset/2')).toBe(0);
    fireEvent.click(within(question).getByRole('button', { name: 'Скинути' }));
    fireEvent.click(await screen.findByText('abcd2345efgh'));
    expect(await screen.findByText('Скопійовано')).toBeTruthy();
    expect(written).toEqual(['abcd2345efgh']);
    fireEvent.click(screen.getByRole('button', { name: 'Закрити' }));
    await waitFor(() => expect(screen.queryByText('abcd2345efgh')).toBeNull());
    vi.unstubAllGlobals();
  });

  it('gives to several members with one question about the sum', async () => {
    const { server } = await openParty({
      'GET /api/party/data': aParty(),
      'POST /api/party/gift': new RefusedAnswer(402, { message: 'No', code: 'insufficient_balance' }),
    });
    await screen.findByText('3 учасники');
    fireEvent.click(screen.getByRole('button', { name: 'Поповнити кільком' }));
    fireEvent.change(await screen.findByLabelText('Сума кожному'), { target: { value: '50' } });
    fireEvent.click(screen.getByRole('button', { name: 'Переказати гроші' }));
    const question = await screen.findByRole('dialog', { name: /Переказати 100,00/ });
    expect(shown(question)).toContain('2 учасникам, по 50,00');
    fireEvent.click(within(question).getByRole('button', { name: 'Переказати гроші' }));
    expect(await screen.findByText('Недостатньо коштів на балансі')).toBeTruthy();
    expect(server.bodyOf('POST /api/party/gift')).toMatchObject({ members: [2, 3], amount: 50_00 });
  });
});
