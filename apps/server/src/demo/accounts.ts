import type { Role } from '@fpay/contract/roles';

/** The password of the demo accounts; production refuses to start with it. */
export const demoPassword = 'charge-demo';

export interface DemoAccount {
  phone: string;
  name: string;
  role: Role;
  note: string;
  car?: { name: string; battery: number; manufacturer: string; model: string };
}

const leaf = { name: 'Леаф', battery: 40, manufacturer: 'Nissan', model: 'Leaf' };
const ioniq = { name: 'Іонік', battery: 77, manufacturer: 'Hyundai', model: 'Ioniq 5' };
const bus = { name: 'Бусик', battery: 68, manufacturer: 'Ford', model: 'E-Transit' };

export const demoAccounts: readonly DemoAccount[] = [
  { phone: '+380500000001', name: 'Олена Коваль', role: 'User', note: 'driver', car: ioniq },
  { phone: '+380500000002', name: 'Андрій Мельник', role: 'User', note: 'second driver, for gifts', car: leaf },
  { phone: '+380500000003', name: 'Тарас Шевчук', role: 'User', note: 'owner of a closed party', car: bus },
  { phone: '+380500000004', name: 'Ірина Бондар', role: 'User', note: 'member of the closed party', car: bus },
  { phone: '+380500000005', name: 'Максим Ткач', role: 'User', note: 'member of the closed party', car: leaf },
  { phone: '+380500000006', name: 'Наталія Кравець', role: 'User', note: 'owner of an open party', car: ioniq },
  { phone: '+380500000010', name: 'Аналітик', role: 'Analytic', note: 'staff' },
  { phone: '+380500000011', name: 'Підтримка', role: 'Support', note: 'staff' },
  { phone: '+380500000012', name: 'Оператор', role: 'Operator', note: 'staff' },
  { phone: '+380500000013', name: 'Адміністратор', role: 'Admin', note: 'staff' },
  { phone: '+380500000014', name: 'Головний адміністратор', role: 'SuperAdmin', note: 'staff' },
  { phone: '+380500000015', name: 'Заблокований', role: 'Banned', note: 'blocked' },
];

/** The owner first, then the members. */
export const demoParties = [
  { name: 'Дніпро Логістик', isClosed: true, phones: ['+380500000003', '+380500000004', '+380500000005'] },
  { name: 'Еко Таксі', isClosed: false, phones: ['+380500000006'] },
] as const;
