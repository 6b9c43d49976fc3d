import { act, fireEvent, screen } from '@testing-library/react';
import { useState } from 'react';
import { describe, expect, it, vi } from 'vitest';
import { chooseLanguage } from '../../i18n/i18n.ts';
import { renderPart } from '../../testing/render.tsx';
import { CodeField } from './code-field.tsx';
import { Field } from './field.tsx';
import { formatPhone, phoneDigits } from './phone.ts';
import { PhoneField } from './phone-field.tsx';

describe('an action beside the label', () => {
  it('follows the input in the order of the keyboard', () => {
    renderPart(<Field label="Пароль" action={<button type="button">Забули пароль?</button>} />);
    const input = screen.getByLabelText('Пароль');
    const order = input.compareDocumentPosition(screen.getByRole('button'));
    expect(order & Node.DOCUMENT_POSITION_FOLLOWING).toBeTruthy();
  });
});

describe('a field', () => {
  it('is linked to its label and hint', () => {
    renderPart(<Field label="Ім’я" hint="Як до вас звертатися" />);
    const input = screen.getByLabelText('Ім’я');
    const described = document.getElementById(input.getAttribute('aria-describedby') ?? '');
    expect(described?.textContent).toBe('Як до вас звертатися');
    expect(input.getAttribute('aria-invalid')).toBeNull();
  });

  it('shows an error instead of the hint and keeps the input', () => {
    renderPart(<Field label="Пароль" hint="Будь-який" error="Щонайменше 8 символів" defaultValue="abc" />);
    const input = screen.getByLabelText<HTMLInputElement>('Пароль');
    expect(input.value).toBe('abc');
    expect(input.getAttribute('aria-invalid')).toBe('true');
    expect(document.getElementById(input.getAttribute('aria-describedby') ?? '')?.textContent).toBe(
      'Щонайменше 8 символів',
    );
    expect(screen.queryByText('Будь-який')).toBeNull();
  });
});

describe('a phone number', () => {
  it.each([
    ['+380671234567', '+380 67 123 45 67'],
    ['+38067', '+380 67'],
    ['+48123456789', '+48 123 456 789'],
    ['+14155550100', '+14155550100'],
    ['+3806712345678', '+380 67 123 45 678'],
    ['', ''],
  ])('%s is formatted as %s', (phone, shown) => {
    expect(formatPhone(phone)).toBe(shown);
  });

  it.each([
    ['+380 (67) 123-45-67', '+380671234567'],
    ['067 123', '067123'],
    [' +48 1a2', '+4812'],
  ])('typed as %s is %s', (typed, digits) => {
    expect(phoneDigits(typed)).toBe(digits);
  });

  it('is passed on without spaces, and the caret stays between the same digits', () => {
    const handed: string[] = [];
    function Form() {
      const [phone, setPhone] = useState('+38067123');
      return (
        <PhoneField
          label="Номер телефону"
          value={phone}
          onChange={(value) => {
            handed.push(value);
            setPhone(value);
          }}
        />
      );
    }
    renderPart(<Form />);
    const input = screen.getByLabelText<HTMLInputElement>('Номер телефону');
    expect(input.value).toBe('+380 67 123');
    // A 9 typed after the 6: "+380 69|7 123".
    fireEvent.change(input, { target: { value: '+380 697 123', selectionStart: 7 } });
    expect(handed).toEqual(['+380697123']);
    expect(input.value).toBe('+380 69 712 3');
    expect(input.selectionStart).toBe(7);
  });
});

describe('a phone field', () => {
  function openPhone() {
    function Form() {
      const [phone, setPhone] = useState('+380');
      return <PhoneField label="Номер" value={phone} onChange={setPhone} />;
    }
    renderPart(<Form />);
    return screen.getByLabelText<HTMLInputElement>('Номер');
  }

  it.each(['0501234567', '380501234567', '+380 0501234567', '+380380501234567', '(050) 123-45-67'])(
    'understands %s',
    (typed) => {
      const input = openPhone();
      fireEvent.change(input, { target: { value: typed } });
      expect(input.value).toBe('+380 50 123 45 67');
      expect(input.selectionStart).toBe(input.value.length);
    },
  );

  it('offers +48 after a switch to Polish, but never replaces a typed number', async () => {
    const input = openPhone();
    await act(() => chooseLanguage('pl'));
    expect(input.value).toBe('+48');
    fireEvent.change(input, { target: { value: '+48 501' } });
    await act(() => chooseLanguage('uk'));
    expect(input.value).toBe('+48 501');
  });
});

describe('the code from an SMS', () => {
  function openForm() {
    const onComplete = vi.fn();
    function Form() {
      const [code, setCode] = useState('');
      return <CodeField label="Код" value={code} onChange={setCode} onComplete={onComplete} />;
    }
    renderPart(<Form />);
    return { onComplete, input: screen.getByLabelText<HTMLInputElement>('Код') };
  }

  it('may be suggested by the phone and pasted with spaces', () => {
    const { onComplete, input } = openForm();
    expect(input.autocomplete).toBe('one-time-code');
    fireEvent.change(input, { target: { value: ' 481 205 ' } });
    expect(input.value).toBe('481205');
    expect(onComplete).toHaveBeenCalledExactlyOnceWith('481205');
  });

  it('is complete only with six digits', () => {
    const { onComplete, input } = openForm();
    fireEvent.change(input, { target: { value: '48a12' } });
    expect(input.value).toBe('4812');
    expect(onComplete).not.toHaveBeenCalled();
    expect(screen.getByText('Введено 4 з 6 цифр')).toBeTruthy();
    fireEvent.change(input, { target: { value: '12345678' } });
    expect(onComplete).toHaveBeenCalledExactlyOnceWith('123456');
  });
});
