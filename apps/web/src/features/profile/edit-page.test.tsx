import type { User } from '@fpay/contract/account';
import { fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { aUser } from '../../testing/people.ts';
import { cacheWith, renderRoutes } from '../../testing/render.tsx';
import { pass, RefusedAnswer, serve } from '../../testing/server.ts';
import { PopupHost } from '../../ui/overlay/popup-host.tsx';
import { discardDraft } from './draft.ts';
import { Page as EditPage } from './edit-page.tsx';
import { Page as IconsPage } from './icons-page.tsx';

const editCall = 'PATCH /api/user/7';
const codeCall = 'POST /api/otps';
const proofRequired = (needs: string[]) => new RefusedAnswer(409, { message: 'No', code: 'proof_required', needs });

async function openEdit(answers: Record<string, unknown> = {}, path = '/edit', user: User = aUser()) {
  const server = serve({ 'GET /api/user': user, 'GET /api/user/sessions': { sessions: [] }, ...answers });
  const withPopups = (page: React.ReactNode) => (
    <>
      {page}
      <PopupHost />
    </>
  );
  const drawn = await renderRoutes(
    [
      { path: '/edit', element: withPopups(<EditPage />) },
      { path: '/icons', element: withPopups(<IconsPage />) },
      { path: '*', element: withPopups(<p>Інша сторінка</p>) },
    ],
    cacheWith({ user }),
    path,
  );
  return { server, ...drawn };
}

const cover = (field: string) => screen.getByRole('button', { name: new RegExp(`^Змінити: ${field}\\.`) });
const saveButton = () => screen.getByRole('button', { name: /^(Зберегти|Змін немає|Зачекайте)$/ });
const type = (label: string, value: string) => fireEvent.change(screen.getByLabelText(label), { target: { value } });
const uncover = (field: string) => fireEvent.click(cover(field));

afterEach(discardDraft);

describe('editing the profile', () => {
  it('shows masked values, the password hidden; a tap opens a field [EDIT-02]', async () => {
    await openEdit();
    expect(screen.queryAllByRole('textbox')).toEqual([]);
    expect(cover('Ім’я').textContent).toContain('Олена Коваль');
    expect(cover('Номер телефону').textContent).toContain('+380 67 123 45 67');
    expect(cover('Пароль').textContent).toContain('••••••••');

    uncover('Ім’я');
    expect(screen.getByLabelText('Ім’я')).toHaveProperty('value', 'Олена Коваль');
    expect(document.activeElement).toBe(screen.getByLabelText('Ім’я'));
    uncover('Номер телефону');
    expect(screen.getByLabelText('Номер телефону')).toHaveProperty('value', '+380 67 123 45 67');
    uncover('Пароль');
    expect(screen.getByLabelText('Новий пароль')).toMatchObject({ value: '', type: 'password' });
  });

  it('has a pencil on the drawing, because a camera would promise a photo', async () => {
    await openEdit();
    const avatar = screen.getByRole('link', { name: 'Змінити аватар' });
    expect(avatar.querySelector('.lucide-pencil')).toBeTruthy();
    expect(document.querySelector('[class*=lucide-camera]')).toBeNull();
  });

  it('offers the cars while nothing is edited; then cancel, which reloads the user [EDIT-03] [EDIT-04]', async () => {
    const { server } = await openEdit();
    expect(screen.getByRole('link', { name: 'Мої авто' })).toHaveProperty('pathname', '/cars');
    expect(saveButton()).toHaveProperty('disabled', true);
    uncover('Ім’я');
    expect(saveButton()).toHaveProperty('disabled', true);

    type('Ім’я', 'Ірина');
    expect(saveButton()).toHaveProperty('disabled', false);
    expect(screen.queryByRole('link', { name: 'Мої авто' })).toBeNull();

    fireEvent.click(screen.getByRole('button', { name: 'Скасувати' }));
    expect(cover('Ім’я').textContent).toContain('Олена Коваль');
    expect(saveButton()).toHaveProperty('disabled', true);
    await waitFor(() => expect(server.times('GET /api/user')).toBe(1));
    expect(server.times(editCall)).toBe(0);
  });

  it('sends name and avatar together and shows the server’s answer [EDIT-01] [EDIT-05]', async () => {
    const { server, router } = await openEdit({ [editCall]: aUser({ name: 'Ірина Бондар', icon: 6 }) });
    uncover('Ім’я');
    type('Ім’я', '  Ірина Бондар');
    fireEvent.click(screen.getByRole('link', { name: 'Змінити аватар' }));
    fireEvent.click(await screen.findByRole('button', { name: 'Вогник' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/edit'));
    expect(screen.getByLabelText('Ім’я')).toHaveProperty('value', '  Ірина Бондар');
    fireEvent.click(saveButton());
    await screen.findByText('Зміни збережено');
    expect(server.bodyOf(editCall)).toMatchObject({ name: 'Ірина Бондар', phone_number: '', password: '', icon: 6 });
    expect(cover('Ім’я').textContent).toContain('Ірина Бондар');
    expect(saveButton()).toHaveProperty('disabled', true);
  });

  it('marks errors and sends nothing until they are corrected', async () => {
    const { server } = await openEdit({ [editCall]: aUser({ name: 'Ірина' }) });
    for (const field of ['Ім’я', 'Номер телефону', 'Пароль']) uncover(field);
    type('Ім’я', '');
    type('Номер телефону', '067123456');
    type('Новий пароль', '1234567');
    fireEvent.click(saveButton());
    for (const message of [
      'Вкажіть ім’я',
      'Введіть номер із кодом країни, наприклад +380671234567',
      'Пароль має містити щонайменше 8 символів',
    ])
      expect(screen.getByText(message)).toBeTruthy();
    expect(server.times(editCall)).toBe(0);

    type('Ім’я', 'Ірина');
    expect(screen.queryByText('Вкажіть ім’я')).toBeNull();
    type('Номер телефону', '+380671234567');
    type('Новий пароль', '');
    fireEvent.click(saveButton());
    await screen.findByText('Зміни збережено');
  });

  it('keeps the input when the server fails, and reports it', async () => {
    await openEdit({ [editCall]: new RefusedAnswer(500) });
    uncover('Ім’я');
    type('Ім’я', 'Ірина');
    fireEvent.click(saveButton());
    await screen.findByRole('dialog', { name: 'Помилка на сервері. Спробуйте трохи згодом.' });
    expect(screen.getByLabelText('Ім’я')).toHaveProperty('value', 'Ірина');
  });
});

describe('the proof for a new phone or password', () => {
  it('is the current password for a new one; a wrong one is marked at its field [EDIT-01] [EDIT-08]', async () => {
    const proven = vi
      .fn()
      .mockReturnValueOnce(proofRequired(['current_password']))
      .mockReturnValueOnce(new RefusedAnswer(422, { message: 'No', code: 'wrong_password' }))
      .mockReturnValueOnce(aUser());
    const { server } = await openEdit({ [editCall]: proven });
    uncover('Пароль');
    type('Новий пароль', 'another-secret');
    fireEvent.click(saveButton());
    const dialog = await screen.findByRole('dialog', { name: 'Підтвердьте, що це ви' });
    expect(within(dialog).queryByLabelText(/Код із SMS/)).toBeNull();
    const confirm = within(dialog).getByRole('button', { name: 'Підтвердити' });
    expect(confirm).toHaveProperty('disabled', true);
    fireEvent.change(within(dialog).getByLabelText('Поточний пароль'), { target: { value: 'not-this' } });
    fireEvent.click(confirm);
    await screen.findByText('Пароль неправильний');
    fireEvent.change(within(dialog).getByLabelText('Поточний пароль'), { target: { value: 'charge-demo' } });
    fireEvent.click(confirm);
    await screen.findByText('Зміни збережено');
    expect(server.sent.filter(({ call }) => call === editCall).at(-1)?.body).toMatchObject({
      password: 'another-secret',
      current_password: 'charge-demo',
    });
    expect(server.times(codeCall)).toBe(0);
  });

  it('is also a code for a new phone; it is sent once, and again only after 30 s [EDIT-01] [EDIT-08]', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const proven = vi
      .fn()
      .mockReturnValueOnce(proofRequired(['current_password', 'otp']))
      .mockReturnValueOnce(proofRequired(['current_password', 'otp']))
      .mockReturnValueOnce(new RefusedAnswer(422, { message: 'No', code: 'wrong_code' }))
      .mockReturnValueOnce(aUser({ phone_number: '+380501112233' }));
    const { server } = await openEdit({ [editCall]: proven, [codeCall]: {} });
    uncover('Номер телефону');
    type('Номер телефону', '+380501112233');
    fireEvent.click(saveButton());
    await screen.findByRole('dialog', { name: 'Підтвердьте, що це ви' });
    expect(server.bodyOf(codeCall)).toMatchObject({ phone_number: '+380501112233', purpose: 'new_phone' });

    // The popup was closed and the form saved again; the pending code is still valid.
    const dialog = () => screen.getByRole('dialog', { name: 'Підтвердьте, що це ви' });
    fireEvent.click(within(dialog()).getByRole('button', { name: 'Скасувати' }));
    fireEvent.click(saveButton());
    await screen.findByRole('dialog', { name: 'Підтвердьте, що це ви' });
    expect(server.times(codeCall)).toBe(1);
    expect(within(dialog()).getByRole('button', { name: /^Ще раз через \d+\sсек\.$/ })).toHaveProperty(
      'disabled',
      true,
    );
    await pass(31_000);
    fireEvent.click(within(dialog()).getByRole('button', { name: 'Надіслати код ще раз' }));
    await waitFor(() => expect(server.times(codeCall)).toBe(2));

    fireEvent.change(within(dialog()).getByLabelText('Поточний пароль'), { target: { value: 'charge-demo' } });
    const code = within(dialog()).getByLabelText('Код із SMS на +380 50 111 22 33');
    fireEvent.change(code, { target: { value: '111111' } });
    fireEvent.click(within(dialog()).getByRole('button', { name: 'Підтвердити' }));
    await screen.findByText('Код неправильний або вже не діє');
    fireEvent.change(code, { target: { value: '123456' } });
    fireEvent.click(within(dialog()).getByRole('button', { name: 'Підтвердити' }));
    await screen.findByText('Зміни збережено');
    expect(server.sent.filter(({ call }) => call === editCall).at(-1)?.body).toMatchObject({
      phone_number: '+380501112233',
      current_password: 'charge-demo',
      otp: '123456',
    });
    expect(cover('Номер телефону').textContent).toContain('+380 50 111 22 33');
    vi.useRealTimers();
  });

  it('is not requested for a taken number, whose field shows the error', async () => {
    const exists = new RefusedAnswer(409, { message: 'User already exists!', code: 'user_exists' });
    await openEdit({ [editCall]: proofRequired(['current_password', 'otp']), [codeCall]: exists });
    uncover('Номер телефону');
    type('Номер телефону', '+380501112233');
    fireEvent.click(saveButton());
    await screen.findByText('Цей номер уже зареєстровано');
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('leaving with unsaved edits', () => {
  it('asks for confirmation, keeps the input when the driver stays, and drops it otherwise [EDIT-06]', async () => {
    const { router } = await openEdit();
    uncover('Ім’я');
    type('Ім’я', 'Ірина');
    fireEvent.click(screen.getByRole('link', { name: 'Назад' }));
    await screen.findByRole('dialog', { name: 'Вийти без збереження?' });
    fireEvent.click(screen.getByRole('button', { name: 'Редагувати далі' }));
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
    expect(router.state.location.pathname).toBe('/edit');
    expect(screen.getByLabelText('Ім’я')).toHaveProperty('value', 'Ірина');

    fireEvent.click(screen.getByRole('link', { name: 'Назад' }));
    await screen.findByRole('dialog', { name: 'Вийти без збереження?' });
    fireEvent.click(screen.getByRole('button', { name: 'Не зберігати' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/account'));
    await router.navigate('/edit');
    await waitFor(() => expect(cover('Ім’я').textContent).toContain('Олена Коваль'));
  });

  it('asks on the page of the avatars too, and when the tab is closed [EDIT-06]', async () => {
    const { router } = await openEdit({}, '/icons');
    const closing = () => dispatchEvent(new Event('beforeunload', { cancelable: true }));
    expect(closing()).toBe(true);
    fireEvent.click(screen.getByRole('button', { name: 'Сонце' }));
    expect(closing()).toBe(false);
    void router.navigate('/map');
    await screen.findByRole('dialog', { name: 'Вийти без збереження?' });
    expect(router.state.location.pathname).toBe('/icons');
  });

  it('does not ask when a field was only opened', async () => {
    const { router } = await openEdit();
    uncover('Ім’я');
    fireEvent.click(screen.getByRole('link', { name: 'Назад' }));
    await waitFor(() => expect(router.state.location.pathname).toBe('/account'));
    expect(screen.queryByRole('dialog')).toBeNull();
  });
});

describe('the avatars', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are six with the car as default, and a choice returns after 250 ms [EDIT-07]', async () => {
    const { router } = await openEdit({}, '/icons', aUser({ icon: 4 }));
    const choices = screen
      .getAllByRole('button', { pressed: false })
      .concat(screen.getAllByRole('button', { pressed: true }));
    expect(choices).toHaveLength(6);
    expect(screen.getByRole('button', { pressed: true }).textContent).toBe('Авто');

    fireEvent.click(screen.getByRole('button', { name: 'Штекер' }));
    expect(screen.getByRole('button', { pressed: true }).textContent).toBe('Штекер');
    await pass(249);
    expect(router.state.location.pathname).toBe('/icons');
    await pass(1);
    expect(router.state.location.pathname).toBe('/edit');
    expect(saveButton()).toHaveProperty('disabled', false);
  });
});

describe("a driver's own data", () => {
  it('is saved as a file', async () => {
    const none = {
      cars: [],
      operations: [],
      payments: [],
      balance_transactions: [],
      feedback: [],
      rfid_cards: [],
      rfid_requests: [],
      saved_cards: [],
      favourite_stations: [],
      free_alerts: [],
      notice_channels: [],
      push_subscriptions: [],
      party: [],
      sessions: [],
      log: [],
    };
    const data = { made_at: '2026-11-15T01:00:00Z', user: { id: 7 }, ...none };
    const saved: { blob?: Blob; name?: string } = {};
    URL.createObjectURL = (blob) => {
      saved.blob = blob as Blob;
      return 'blob:it';
    };
    vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
      saved.name = this.download;
    });
    await openEdit({ 'GET /api/user/data': data });
    fireEvent.click(screen.getByRole('button', { name: /Завантажити мої дані/ }));
    await waitFor(() => expect(saved.name).toBe('fpay-data.json'));
    expect(saved.blob?.type).toBe('application/json');
  });

  it('is deleted with the account: the password is required, and reasons against it are shown', async () => {
    const refused = (code: string) => new RefusedAnswer(409, { message: 'No', code });
    const answer = vi
      .fn()
      .mockReturnValueOnce(new RefusedAnswer(422, { message: 'No', code: 'wrong_password' }))
      .mockReturnValueOnce(refused('account_has_balance'))
      .mockReturnValueOnce(null);
    const { server, router } = await openEdit({ 'DELETE /api/user/7': answer });
    fireEvent.click(screen.getByRole('button', { name: /Видалити акаунт/ }));
    const dialog = await screen.findByRole('dialog', { name: 'Видалити акаунт?' });
    const yes = within(dialog).getByRole('button', { name: 'Видалити назавжди' });
    expect(yes).toHaveProperty('disabled', true);
    const password = within(dialog).getByLabelText('Поточний пароль');
    fireEvent.change(password, { target: { value: 'not-this' } });
    fireEvent.click(yes);
    await screen.findByText('Пароль неправильний');
    fireEvent.change(password, { target: { value: 'charge-demo' } });
    fireEvent.click(yes);
    expect((await screen.findByRole('alert')).textContent).toBe(
      'На балансі ще є гроші. Використайте або подаруйте їх, тоді видаліть акаунт.',
    );
    fireEvent.click(yes);
    await waitFor(() => expect(router.state.location.pathname).toBe('/auth'));
    expect(server.sent.at(-1)?.body).toMatchObject({ current_password: 'charge-demo' });
    await screen.findByRole('dialog', { name: /Акаунт видалено/ });
  });
});
