import { act, fireEvent, screen } from '@testing-library/react';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../testing/render.tsx';
import { RotatingText } from '../picture/rotating-text.tsx';
import { List, ListItem } from './list.tsx';
import { ProgressBar } from './progress-bar.tsx';
import { Skeleton, SkeletonList } from './skeleton.tsx';

afterEach(() => {
  vi.useRealTimers();
});

describe('a list', () => {
  it('has arrows on rows that navigate, and none on others', () => {
    const onPress = vi.fn();
    renderPart(
      <List label="Акаунт">
        <ListItem title="Історія" subtitle="За рік" to="/history" icon="◷" />
        <ListItem title="Telegram-бот" href="https://t.me/volta_bot" />
        <ListItem title="Вийти" onPress={onPress} />
        <ListItem title="Пікселі" to="/pixels" trailing="Скоро" disabled />
        <ListItem title="Витрачено" trailing="58,00 ₴" />
      </List>,
    );
    expect(screen.getAllByRole('listitem')).toHaveLength(5);
    expect(screen.getByRole('link', { name: /Історія.*За рік/ }).getAttribute('href')).toBe('/history');
    expect(screen.getByRole('link', { name: 'Telegram-бот' }).getAttribute('target')).toBe('_blank');
    fireEvent.click(screen.getByRole('button', { name: 'Вийти' }));
    expect(onPress).toHaveBeenCalledOnce();
    expect(screen.getByRole<HTMLButtonElement>('button', { name: /Пікселі.*Скоро/ }).disabled).toBe(true);
    expect(screen.getAllByRole('button')).toHaveLength(2);
  });

  it('keeps the space of rows that are loading', () => {
    const { container } = renderPart(<SkeletonList rows={3} />);
    expect(container.querySelector('[aria-busy="true"]')?.children).toHaveLength(3);
  });

  it('announces nothing for a placeholder', () => {
    const { container } = renderPart(<Skeleton className="h-4 w-20" />);
    expect(container.querySelector('.h-4')?.getAttribute('aria-hidden')).toBe('true');
  });
});

describe('a progress bar', () => {
  it.each([
    [-5, '0'],
    [57.4, '57'],
    [140, '100'],
  ])('at %d %% announces %s', (percent, announced) => {
    renderPart(<ProgressBar label="Оновлення" percent={percent} />);
    const bar = screen.getByRole('progressbar', { name: 'Оновлення' });
    expect(bar.getAttribute('aria-valuenow')).toBe(announced);
    expect((bar.firstElementChild as HTMLElement).style.width).toBe(`${announced}%`);
  });
});

describe('two variants of one text', () => {
  it('alternate', () => {
    vi.useFakeTimers();
    const { container } = renderPart(<RotatingText variants={['F1400', 'просп. Слобожанський']} everyMs={5000} />);
    const seen = [container.textContent];
    for (let turn = 0; turn < 2; turn++) {
      act(() => vi.advanceTimersByTime(5000));
      seen.push(container.textContent);
    }
    expect(seen).toEqual(['F1400', 'просп. Слобожанський', 'F1400']);
  });

  it('are both shown with reduced motion', () => {
    vi.stubGlobal('matchMedia', () => ({ matches: true, addEventListener() {}, removeEventListener() {} }));
    const { container } = renderPart(<RotatingText variants={['F1400', 'просп. Слобожанський']} everyMs={5000} />);
    expect(container.textContent).toBe('F1400просп. Слобожанський');
  });
});
