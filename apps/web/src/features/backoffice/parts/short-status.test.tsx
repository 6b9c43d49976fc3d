import { languages } from '@fpay/contract/languages';
import { inLanguage } from '@fpay/contract/translated';
import { cleanup, screen } from '@testing-library/react';
import { expect, it } from 'vitest';
import { chooseLanguage } from '../../../i18n/i18n.ts';
import { renderPart } from '../../../testing/render.tsx';
import { ShortHold } from './short-status.tsx';

it.each([
  ['success', 'OK', { uk: 'Платіж успішний', en: 'The payment succeeded', pl: 'Płatność udana' }],
  ['failure', 'FAIL', { uk: 'Платіж не пройшов', en: 'The payment failed', pl: 'Płatność nieudana' }],
  ['reversed', 'REV', { uk: 'Гроші повернено', en: 'The money was returned', pl: 'Pieniądze zwrócono' }],
] as const)('the payment status %s has a text in each language [MACH-26]', async (hold, label, texts) => {
  for (const language of languages) {
    await chooseLanguage(language);
    renderPart(<ShortHold hold={hold} />);
    expect(screen.getByText(label).closest('[title]')?.getAttribute('title')).toBe(
      `${hold}: ${inLanguage<string>(texts, language)}`,
    );
    cleanup();
  }
});
