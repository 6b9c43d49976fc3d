import { currency, kopecks, SignedKopecks, wattHours, watts } from '@fpay/contract/money';
import { act, screen } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import { chooseLanguage } from '../../i18n/i18n.ts';
import { renderPart } from '../../testing/render.tsx';
import { DateTime } from './date-time.tsx';
import { Energy, formatKwh } from './energy.tsx';
import { formatMoney, Money } from './money.tsx';
import { formatPercent } from './number-format.ts';
import { formatPower, Power } from './power.tsx';

describe('money', () => {
  it('is in hryvnias, with the sign after a non-breaking gap [CONST-01]', () => {
    expect(currency).toMatchObject({ code: 'UAH', symbol: '₴' });
    expect(formatMoney(kopecks(1284_50))).toBe('1\u00a0284,50\u00a0₴');
    expect(formatMoney(kopecks(0))).toBe('0,00\u00a0₴');
  });

  it('has the marks of the language', () => {
    const amount = kopecks(1234567_89);
    expect(formatMoney(amount, {}, 'uk')).toBe('1\u00a0234\u00a0567,89\u00a0₴');
    expect(formatMoney(amount, {}, 'en')).toBe('1,234,567.89\u00a0₴');
    expect(formatMoney(amount, {}, 'pl')).toBe('1\u00a0234\u00a0567,89\u00a0₴');
  });

  it('rounds half a hryvnia up where kopecks do not matter', () => {
    expect(formatMoney(kopecks(362_50), { rounded: true })).toBe('363\u00a0₴');
    expect(formatMoney(kopecks(362_49), { rounded: true })).toBe('362\u00a0₴');
  });

  it('has a true minus sign', () => {
    expect(formatMoney(SignedKopecks.parse(-95_41))).toBe('\u221295,41\u00a0₴');
  });
});

describe('energy and power', () => {
  it('are shown in kWh and kW', () => {
    renderPart(
      <>
        <p>
          <Energy energy={wattHours(18_420)} />
        </p>
        <p>
          <Power power={watts(47_300)} />
        </p>
        <p>
          <Power power={watts(60_000)} rated />
        </p>
        <p>
          <Money amount={kopecks(14_50)} />
        </p>
      </>,
    );
    const shown = screen.getAllByRole('paragraph').map(({ textContent }) => textContent);
    expect(shown).toEqual(['18,42\u00a0кВт·год', '47,3\u00a0кВт', '60\u00a0кВт', '14,50\u00a0₴']);
  });

  it('keep their decimals while they change', () => {
    expect([formatKwh(wattHours(25_000)), formatKwh(wattHours(41_160), 1)]).toEqual(['25,00', '41,2']);
    expect([formatPower(watts(47_000)), formatPower(watts(7_400), { rated: true })]).toEqual([
      '47,0\u00a0кВт',
      '7,4\u00a0кВт',
    ]);
    expect(formatPercent(73.6)).toBe('74\u00a0%');
  });
});

describe('an instant', () => {
  it('is shown in Kyiv time, in any time zone of the phone', () => {
    renderPart(<DateTime instant="2026-11-15T12:35:00Z" form="time" />);
    expect(screen.getByText('14:35').getAttribute('datetime')).toBe('2026-11-15T12:35:00Z');
  });

  it('has its year when that is not this one', () => {
    renderPart(<DateTime instant="2024-11-15T12:35:00Z" />);
    expect(screen.getByText('15.11.2024, 14:35')).toBeTruthy();
    const now = new Date();
    renderPart(<DateTime instant={now.toISOString()} />);
    expect(screen.queryByText(new RegExp(String(now.getUTCFullYear())))).toBeNull();
  });

  it('follows the language at once', async () => {
    renderPart(<DateTime instant="2024-11-15T12:35:00Z" form="date" />);
    expect(screen.getByText('15 листопада 2024 р.')).toBeTruthy();
    await act(() => chooseLanguage('pl'));
    expect(screen.getByText('15 listopada 2024')).toBeTruthy();
  });
});
