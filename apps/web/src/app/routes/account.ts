import type { Permission } from '@fpay/contract/roles';
import { digits } from '../guard.ts';
import { notBuilt, type PageDeclaration } from './page.ts';

const accountPage: readonly Permission[] = ['access-account-page'];

export const accountPages: PageDeclaration[] = [
  { path: '/auth', load: notBuilt, header: 'brand', withoutAccount: true, duringSession: true },
  { path: '/reg', load: notBuilt, header: 'brand', withoutAccount: true, duringSession: true },
  {
    path: '/reg/:tg',
    load: notBuilt,
    header: 'brand',
    withoutAccount: true,
    duringSession: true,
    params: { tg: digits },
  },
  { path: '/otp', load: notBuilt, header: 'brand', withoutAccount: true, duringSession: true },
  { path: '/account', load: notBuilt, needs: accountPage },
  { path: '/edit', load: notBuilt, needs: accountPage },
  { path: '/icons', load: notBuilt, needs: accountPage },
  { path: '/cars', load: notBuilt, needs: accountPage },
  { path: '/car/add', load: notBuilt, needs: accountPage },
  { path: '/car/:carId', load: notBuilt, needs: accountPage, params: { carId: digits } },
  { path: '/history', load: notBuilt, needs: accountPage },
  { path: '/stats', load: notBuilt, needs: accountPage },
  { path: '/balance', load: notBuilt, needs: ['use-balance'] },
  // Open to staff until the network decides to give cards to every driver.
  { path: '/rfid', load: notBuilt, needs: ['access-admin-page'] },
  { path: '/party', load: notBuilt, partyMembers: true },
];
