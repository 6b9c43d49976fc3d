import { cleanup, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { chooseLanguage } from '../../../i18n/i18n.ts';
import { renderPart } from '../../../testing/render.tsx';
import { ShortHold } from './short-status.tsx';

it.each([
  ['success', 'OK', ['Платіж успішний', 'The payment succeeded', 'Płatność udana']],
  ['failure', 'FAIL', ['Платіж не пройшов', 'The payment failed', 'Płatność nieudana']],
  ['reversed', 'REV', ['Гроші повернено', 'The money was returned', 'Pieniądze zwrócono']],
] as const)('the payment status %s has a text in each language [MACH-26]', async (hold, label, texts) => {
  for (const [index, language] of (['uk', 'en', 'pl'] as const).entries()) {
    await chooseLanguage(language);
    renderPart(<ShortHold hold={hold} />);
    expect(screen.getByText(label).closest('[title]')?.getAttribute('title')).toBe(`${hold}: ${texts[index]}`);
    cleanup();
  }
});
