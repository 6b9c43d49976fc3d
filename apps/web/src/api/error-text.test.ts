import { refusals } from '@fpay/contract/refusals';
import { describe, expect, it } from 'vitest';
import { text } from '../i18n/i18n.ts';
import '../testing/render.tsx';
import { errorText } from './error-text.ts';
import { ApiError, NetworkError } from './errors.ts';

function refusal(status: number, code: string | null, message = 'English words'): ApiError {
  return new ApiError({ status, code, message, errors: {}, retryAfter: null, serverTime: null });
}

describe('the text of a refusal', () => {
  it("is in the driver's language, selected by the refusal's code [I18N-04]", () => {
    expect(text(errorText(refusal(429, 'too_many_attempts', 'Too Many Attempts.')))).toBe(
      'Забагато спроб. Спробуйте трохи згодом.',
    );
    for (const [code, { status, message }] of Object.entries(refusals)) {
      expect(text(errorText(refusal(status, code, message)))).toMatch(/[а-яіїєґ]/i);
    }
  });

  it('is never a raw message of the server, also for an unknown code [I18N-04]', () => {
    expect(text(errorText(refusal(500, null)))).toBe('Помилка на сервері. Спробуйте трохи згодом.');
    expect(text(errorText(refusal(418, 'teapot')))).toBe('Щось пішло не так');
    expect(text(errorText(new NetworkError('fetch')))).toBe('Перевірте інтернет і спробуйте ще раз.');
    expect(text(errorText(new Error('bug')))).toBe('Щось пішло не так');
  });
});
