import { kopecks } from '@fpay/contract/money';
import type { Tariff } from '../../stations/tariff.ts';

const everyDay = [1, 2, 3, 4, 5, 6, 7];
const workdays = [1, 2, 3, 4, 5];
const fixed = (price: number): Tariff => ({ price: kopecks(price), hours: null, discount: null, idle: null });
const row = (weekdays: number[], from: number, to: number, price: number) => ({
  weekdays,
  from,
  to,
  price: kopecks(price),
});

export const demoTariffs: Record<string, Tariff> = {
  AC: fixed(10_50),
  DC: fixed(15_00),
  'DC+': fixed(17_50),
  free: fixed(0),
  /** Cheap at night, when the grid has a low load. */
  night: { ...fixed(15_00), hours: [row(everyDay, 0, 7, 11_00), row(everyDay, 23, 24, 11_00)] },
  /** Follows the solar panels: cheapest around noon, even more on weekends, expensive in the dark. */
  sun: {
    ...fixed(17_00),
    hours: [
      row(everyDay, 7, 10, 14_00),
      row(workdays, 10, 16, 9_50),
      row([6, 7], 10, 16, 8_00),
      row(everyDay, 16, 19, 13_00),
    ],
  },
  /** Two hryvnias a minute after ten minutes, for a car that is full or stays plugged in. */
  parking: { ...fixed(15_00), idle: { fee: kopecks(2_00), grace_minutes: 10 } },
  autumn: { ...fixed(16_00), discount: { from: '10-23', to: '11-15', percent: 15, text: null } },
};
