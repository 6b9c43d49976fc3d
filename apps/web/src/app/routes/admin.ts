import type { Permission } from '@fpay/contract/roles';
import { digits, digitsOrPhone } from '../guard.ts';
import { notBuilt, type PageDeclaration } from './page.ts';

const staff: readonly Permission[] = ['access-admin-page'];
const operationWatch: readonly Permission[] = [...staff, 'monitor-operations'];

export const adminPages: PageDeclaration[] = [
  { path: '/admin', load: notBuilt, needs: staff },
  { path: '/admin/operations', load: notBuilt, needs: staff },
  { path: '/admin/operations/:operation', load: notBuilt, needs: staff, params: { operation: digits } },
  { path: '/admin/users', load: notBuilt, needs: staff },
  { path: '/admin/users/:user', load: notBuilt, needs: staff, params: { user: digitsOrPhone } },
  { path: '/admin/stats', load: notBuilt, needs: staff },
  { path: '/admin/feedback', load: notBuilt, needs: staff },
  { path: '/admin/anomalies', load: notBuilt, needs: operationWatch },
  { path: '/admin/terminator', load: notBuilt, needs: operationWatch },
  { path: '/admin/counters', load: notBuilt, needs: operationWatch },
  { path: '/admin/shutdown', load: notBuilt, needs: [...staff, 'manage-app'] },
];
