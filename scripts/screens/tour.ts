import { people } from '../../e2e/support/test.ts';
import { pay, plugIn, stopCharging } from './charge.ts';
import { openCharge, openFinished, toAmountByCard } from './list.ts';
import type { Screen } from './screen.ts';

const { driver, superAdmin } = people;
const phone = ['en light'] as const;
const computer = ['en light 1280'] as const;

/** The pictures of docs/tour.md, in its order: each step shows what the one before it started. */
export const tour: readonly Screen[] = [
  { name: '1-map', path: '/map', looks: phone },
  { name: '2-station', path: '/station/F1400', as: driver, looks: phone, before: (page) => plugIn(page, 'F1400') },
  { name: '3-amount', path: '/station/F1400', as: driver, looks: phone, act: toAmountByCard },
  {
    name: '4-charging',
    path: '/active',
    as: driver,
    looks: phone,
    before: (page) => pay(page, 'F1405'),
    act: openCharge,
  },
  { name: '5-finished', path: '/history', as: driver, looks: phone, before: stopCharging, act: openFinished },
  { name: '6-instruction', path: '/instruction', looks: phone },
  { name: '7-back-office', path: '/admin', as: superAdmin, looks: computer },
  { name: '8-operations', path: '/admin/operations', as: superAdmin, looks: computer },
  { name: '9-stats', path: '/admin/stats?period=month', as: superAdmin, looks: computer },
];
