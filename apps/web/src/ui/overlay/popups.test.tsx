import { act, fireEvent, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it } from 'vitest';
import { renderPart } from '../../testing/render.tsx';
import { textSize } from './popup.tsx';
import { PopupHost } from './popup-host.tsx';
import { confirm, notify } from './popups.ts';
import { Sheet } from './sheet.tsx';

function openHost() {
  renderPart(
    <>
      <button type="button">Під попапом</button>
      <PopupHost />
    </>,
  );
}

/** A press on the scrim; the library listens to pointers on the document. */
async function pressOutside() {
  // The library ignores the press that opened the popup.
  await act(() => new Promise((resolve) => setTimeout(resolve, 0)));
  fireEvent.pointerDown(document.body, { button: 0, pointerType: 'mouse' });
  fireEvent.pointerUp(document.body, { button: 0, pointerType: 'mouse' });
  fireEvent.click(document.body);
}

const dialog = () => screen.queryByRole('dialog');

describe('a popup', () => {
  it('has a single button, OK, which closes it [SHELL-17]', async () => {
    openHost();
    let closed = false;
    act(() => void notify('Це не наш QR-код').then(() => (closed = true)));
    expect(screen.getByRole('dialog', { name: 'Це не наш QR-код' })).toBeTruthy();
    const buttons = screen.getAllByRole('button');
    expect(buttons.map(({ textContent }) => textContent)).toEqual(['OK']);
    fireEvent.click(screen.getByRole('button', { name: 'OK' }));
    await waitFor(() => expect(closed).toBe(true));
    expect(dialog()).toBeNull();
  });

  it('closes on a press outside [SHELL-17]', async () => {
    openHost();
    act(() => void notify('Це не наш QR-код'));
    await pressOutside();
    await waitFor(() => expect(dialog()).toBeNull());
  });

  it.each([
    [29, 'text-h2'],
    [30, 'text-body'],
    [99, 'text-body'],
    [100, 'text-label font-medium leading-[1.375rem]'],
  ])('shows %i characters in the size for its length [SHELL-18]', (length, size) => {
    openHost();
    act(() => void notify('й'.repeat(length)));
    expect(textSize('й'.repeat(length))).toBe(size);
    expect(screen.getByRole('heading', { name: 'й'.repeat(length) }).className).toBe(size);
  });

  it('without a message asks whether you are sure [SHELL-19]', () => {
    openHost();
    act(() => void notify());
    expect(screen.getByRole('dialog', { name: 'Ви впевнені?' })).toBeTruthy();
  });

  it('waits for its turn and returns the focus', async () => {
    openHost();
    const under = screen.getByRole('button', { name: 'Під попапом' });
    under.focus();
    act(() => {
      void notify('Перше');
      void notify('Друге');
    });
    expect(screen.getAllByRole('dialog')).toHaveLength(1);
    fireEvent.click(screen.getByRole('button', { name: 'OK' }));
    await screen.findByRole('dialog', { name: 'Друге' });
    fireEvent.click(screen.getByRole('button', { name: 'OK' }));
    await waitFor(() => expect(document.activeElement).toBe(under));
  });
});

describe('a popup over a sheet', () => {
  function Scene() {
    const [isOpen, setOpen] = useState(false);
    return (
      <>
        <button type="button" onClick={() => setOpen(true)}>
          Відкрити
        </button>
        <Sheet open={isOpen} onClose={() => setOpen(false)} title="Поповнити баланс">
          <button type="button" onClick={() => void notify('Не вдалося відкрити оплату. Спробуйте ще раз.')}>
            Сплатити
          </button>
        </Sheet>
        <PopupHost />
      </>
    );
  }
  const button = (name: string) => screen.getByRole('button', { name });
  function press(name: string) {
    button(name).focus();
    fireEvent.click(button(name));
  }

  it('returns the focus to the sheet, and the sheet to the page', async () => {
    renderPart(<Scene />);
    press('Відкрити');
    press('Сплатити');
    press('OK');
    await waitFor(() => expect(document.activeElement).toBe(button('Сплатити')));
    press('Закрити');
    await waitFor(() => expect(document.activeElement).toBe(button('Відкрити')));
  });
});

describe('a popup that opens at the same moment as what is below it', () => {
  it('is visible for a screen reader, and what is below it again after it closed', async () => {
    // This happens when the code of the menu and of the popup are loaded together.
    act(() => void notify('Картку RFID прив’язано'));
    renderPart(
      <>
        <Sheet open title="Меню" onClose={() => undefined}>
          Мапа
        </Sheet>
        <PopupHost />
      </>,
    );
    expect(screen.getAllByRole('dialog').map(({ textContent }) => textContent)).toEqual(['Картку RFID прив’язаноOK']);
    fireEvent.click(screen.getByRole('button', { name: 'OK' }));
    await screen.findByRole('dialog', { name: 'Меню' });
  });
});

describe('a confirmation', () => {
  async function answerTo(press: () => void | Promise<void>, question = {}) {
    openHost();
    let answer: boolean | null = null;
    act(() => void confirm(question).then((confirmed) => (answer = confirmed)));
    await press();
    await waitFor(() => expect(answer).not.toBeNull());
    return answer;
  }

  it('is answered with yes or no', async () => {
    expect(await answerTo(() => void fireEvent.click(screen.getByRole('button', { name: 'Так' })))).toBe(true);
  });

  it('is answered with no when it is closed', async () => {
    expect(await answerTo(pressOutside)).toBe(false);
  });

  it('names the effect and the action', async () => {
    const question = {
      title: 'Зупинити зарядку?',
      effect: 'Спишемо 267,09 ₴',
      confirmLabel: 'Завершити',
      cancelLabel: 'Заряджати далі',
      kind: 'stop' as const,
    };
    const refused = await answerTo(() => {
      expect(screen.getByRole('dialog', { name: 'Зупинити зарядку?' }).textContent).toContain('Спишемо 267,09 ₴');
      expect(screen.getByRole('button', { name: 'Завершити' })).toBeTruthy();
      fireEvent.click(screen.getByRole('button', { name: 'Заряджати далі' }));
    }, question);
    expect(refused).toBe(false);
  });
});
