import type { Permission } from '@fpay/contract/roles';
import { digits } from '../guard.ts';
import type { PageDeclaration } from './page.ts';

const accountPage: readonly Permission[] = ['access-account-page'];

export const accountPages: PageDeclaration[] = [
  {
    path: '/auth',
    load: () => import('../pages/sign-in.tsx'),
    texts: ['auth', 'station'],
    header: 'brand',
    withoutAccount: true,
    duringOperation: true,
  },
  {
    path: '/reg',
    load: () => import('../../features/account/sign-up-page.tsx'),
    texts: ['auth'],
    header: 'brand',
    withoutAccount: true,
    duringOperation: true,
  },
  {
    path: '/reg/:tg',
    load: () => import('../../features/account/sign-up-page.tsx'),
    texts: ['auth'],
    header: 'brand',
    withoutAccount: true,
    duringOperation: true,
    params: { tg: digits },
  },
  {
    path: '/otp',
    load: () => import('../../features/account/otp-page.tsx'),
    texts: ['auth'],
    header: 'brand',
    withoutAccount: true,
    duringOperation: true,
  },
  {
    path: '/account',
    load: () => import('../../features/profile/account-page.tsx'),
    texts: ['account', 'cars', 'rfid', 'signInCode', 'status'],
    needs: accountPage,
  },
  {
    path: '/edit',
    load: () => import('../../features/profile/edit-page.tsx'),
    texts: ['account', 'cars'],
    header: 'page',
    needs: accountPage,
  },
  {
    path: '/icons',
    load: () => import('../../features/profile/icons-page.tsx'),
    texts: ['account'],
    header: 'page',
    needs: accountPage,
  },
  {
    path: '/cars',
    load: () => import('../../features/cars/cars-page.tsx'),
    texts: ['cars'],
    header: 'page',
    needs: accountPage,
  },
  {
    path: '/car/add',
    load: () => import('../../features/cars/add-page.tsx'),
    texts: ['cars'],
    header: 'page',
    needs: accountPage,
  },
  {
    path: '/car/:carId',
    load: () => import('../../features/cars/car-page.tsx'),
    texts: ['cars'],
    header: 'page',
    needs: accountPage,
    params: { carId: digits },
  },
  {
    path: '/history',
    load: () => import('../../features/history/history-page.tsx'),
    texts: ['history'],
    header: 'page',
    needs: accountPage,
  },
  {
    path: '/stats',
    load: () => import('../../features/stats/stats-page.tsx'),
    texts: ['history', 'stats'],
    header: 'page',
    needs: accountPage,
  },
  {
    path: '/balance',
    load: () => import('../../features/wallet/balance-page.tsx'),
    texts: ['balance', 'status'],
    header: 'page',
    needs: ['use-balance'],
  },
  // For staff only, until the network decides to give cards to every driver.
  {
    path: '/rfid',
    load: () => import('../../features/rfid/rfid-page.tsx'),
    texts: ['rfid'],
    header: 'page',
    needs: ['access-admin-page'],
  },
  {
    path: '/party',
    load: () => import('../../features/party/party-page.tsx'),
    texts: ['party'],
    header: 'page',
    partyMembers: true,
  },
];
