import { expect, it, vi } from 'vitest';
import { showStartFailure } from './start-failure.ts';

it('a page whose texts could not be loaded shows that in all languages and reloads on a press', () => {
  const reload = vi.fn();
  document.body.innerHTML = '<div id="root"><div role="progressbar"></div></div>';
  const root = document.getElementById('root') as HTMLElement;
  showStartFailure(root, reload);
  expect(root.querySelector('[role="progressbar"]')).toBeNull();
  expect(root.textContent).toMatch(/Немає зв’язку.*No connection.*Brak połączenia/);
  root.querySelector('button')?.click();
  expect(reload).toHaveBeenCalledOnce();
});
