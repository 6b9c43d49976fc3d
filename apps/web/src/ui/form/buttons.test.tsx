import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../testing/render.tsx';
import { Button } from './button.tsx';
import { IconButton } from './icon-button.tsx';
import { MainButton } from './main-button.tsx';

describe('the main button', () => {
  it('shows its label in upper case [SHELL-20]', () => {
    renderPart(<MainButton>Сплатити</MainButton>);
    expect(screen.getByRole('button', { name: 'Сплатити' }).className.split(' ')).toContain('uppercase');
  });

  it('shows its alternative label while disabled, if it has one [SHELL-21]', () => {
    renderPart(
      <>
        <MainButton disabled disabledLabel="Введіть суму">
          Сплатити
        </MainButton>
        <MainButton disabled>Далі</MainButton>
        <MainButton disabledLabel="Ніколи">Готово</MainButton>
      </>,
    );
    expect(screen.getAllByRole('button').map(({ textContent }) => textContent)).toEqual([
      'Введіть суму',
      'Далі',
      'Готово',
    ]);
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Введіть суму' }).disabled).toBe(true);
  });

  it('shows that it is busy and cannot be pressed twice, but keeps the focus', () => {
    const onPress = vi.fn();
    renderPart(
      <MainButton busy onPress={onPress}>
        Сплатити
      </MainButton>,
    );
    const button = screen.getByRole<HTMLButtonElement>('button', { name: 'Зачекайте' });
    button.focus();
    fireEvent.click(button);
    expect(onPress).not.toHaveBeenCalled();
    expect(button.getAttribute('aria-busy')).toBe('true');
    expect(document.activeElement).toBe(button);
  });

  it('does not submit the form while it is busy', () => {
    const onSubmit = vi.fn((event: { preventDefault: () => void }) => event.preventDefault());
    renderPart(
      <form onSubmit={onSubmit}>
        <MainButton type="submit" busy>
          Увійти
        </MainButton>
      </form>,
    );
    fireEvent.click(screen.getByRole('button'));
    expect(onSubmit).not.toHaveBeenCalled();
  });
});

describe('a pressable element', () => {
  it('is a link when it navigates and a button when it acts', () => {
    const onPress = vi.fn();
    renderPart(
      <>
        <Button to="/map">Мапа</Button>
        <Button href="https://volta.example/">Сайт</Button>
        <IconButton label="Оновити" icon="↻" onPress={onPress} />
        <Button to="/active" disabled>
          Сесії
        </Button>
      </>,
    );
    expect(screen.getByRole('link', { name: 'Мапа' }).getAttribute('href')).toBe('/map');
    const outside = screen.getByRole('link', { name: 'Сайт' });
    expect([outside.getAttribute('target'), outside.getAttribute('rel')]).toEqual(['_blank', 'noreferrer']);
    fireEvent.click(screen.getByRole('button', { name: 'Оновити' }));
    expect(onPress).toHaveBeenCalledOnce();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Сесії' }).disabled).toBe(true);
  });

  it.each(['main', 'secondary', 'quiet', 'text', 'stop', 'danger'] as const)(
    'has the kind %s and announces it',
    (kind) => {
      renderPart(<Button kind={kind}>Завершити</Button>);
      expect(screen.getByRole('button', { name: 'Завершити' })).toBeTruthy();
    },
  );
});
