import { fireEvent, screen } from '@testing-library/react';
import { describe, expect, it, vi } from 'vitest';
import { renderPart } from '../../testing/render.tsx';
import { Sheet } from './sheet.tsx';

function openSheet() {
  const onClose = vi.fn();
  renderPart(
    <Sheet open title="просп. Слобожанський, 31Д" subtitle="2 станції" onClose={onClose}>
      Станції
    </Sheet>,
  );
  return onClose;
}

function pull(px: number) {
  const grabber = screen.getByTestId('grabber');
  fireEvent.pointerDown(grabber, { clientY: 100, pointerId: 1 });
  fireEvent.pointerMove(grabber, { clientY: 100 + px, pointerId: 1 });
  const followed = screen.getByRole('dialog').style.translate;
  fireEvent.pointerUp(grabber, { clientY: 100 + px, pointerId: 1 });
  return followed;
}

describe('a sheet', () => {
  it('is named by its title and closed by its button', () => {
    const onClose = openSheet();
    expect(screen.getByRole('dialog', { name: 'просп. Слобожанський, 31Д' }).textContent).toContain('2 станції');
    fireEvent.click(screen.getByRole('button', { name: 'Закрити' }));
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('is closed by Escape', () => {
    const onClose = openSheet();
    fireEvent.keyDown(document, { key: 'Escape' });
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('follows the finger and closes when pulled far enough', () => {
    const onClose = openSheet();
    expect(pull(120)).toBe('0 120px');
    expect(onClose).toHaveBeenCalledOnce();
  });

  it('returns after a short pull', () => {
    const onClose = openSheet();
    pull(30);
    expect(onClose).not.toHaveBeenCalled();
    expect(screen.getByRole('dialog').style.translate).toBe('');
  });
});
