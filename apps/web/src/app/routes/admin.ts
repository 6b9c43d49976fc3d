import type { Permission } from '@fpay/contract/roles';
import { loadTexts } from '../../i18n/i18n.ts';
import { digits, digitsOrPhone } from '../guard.ts';
import { notBuilt, type PageDeclaration } from './page.ts';

const staff: readonly Permission[] = ['access-admin-page'];
const network: readonly Permission[] = [...staff, 'view-network'];
const operationWatch: readonly Permission[] = [...staff, 'monitor-operations'];

export const adminPages: PageDeclaration[] = [
  {
    path: '/admin',
    load: () => import('../../features/backoffice/home/home-page.tsx'),
    texts: ['admin'],
    needs: staff,
  },
  {
    path: '/admin/operations',
    load: () => import('../../features/backoffice/operations/operations-page.tsx'),
    texts: ['admin'],
    needs: staff,
  },
  {
    path: '/admin/operations/:operation',
    load: () => import('../../features/backoffice/operation/operation-page.tsx'),
    texts: ['admin'],
    needs: staff,
    params: { operation: digits },
  },
  {
    path: '/admin/users',
    load: () => import('../../features/backoffice/users/users-page.tsx'),
    texts: ['admin'],
    needs: staff,
  },
  {
    path: '/admin/users/:user',
    load: () => import('../../features/backoffice/user/user-page.tsx'),
    texts: ['admin'],
    needs: staff,
    params: { user: digitsOrPhone },
  },
  { path: '/admin/stats', load: notBuilt, needs: staff },
  { path: '/admin/feedback', load: notBuilt, needs: staff },
  {
    path: '/admin/anomalies',
    load: () => import('../../features/backoffice/health/anomalies-page.tsx'),
    texts: ['admin'],
    needs: operationWatch,
  },
  {
    path: '/admin/terminator',
    load: () => import('../../features/backoffice/health/terminator-page.tsx'),
    texts: ['admin'],
    needs: operationWatch,
  },
  {
    path: '/admin/counters',
    load: () => import('../../features/backoffice/health/counters-page.tsx'),
    texts: ['admin'],
    needs: operationWatch,
  },
  {
    path: '/admin/network/stations',
    load: () => import('../../features/backoffice/stations/stations-page.tsx'),
    texts: ['networkBuild'],
    needs: network,
  },
  {
    path: '/admin/network/stations/:number',
    load: () => import('../../features/backoffice/stations/station-page.tsx'),
    texts: ['networkBuild'],
    needs: network,
  },
  {
    path: '/admin/network/import',
    load: () => import('../../features/backoffice/stations/import-page.tsx'),
    texts: ['networkBuild'],
    needs: network,
  },
  {
    path: '/admin/network/tariffs',
    load: () => import('../../features/backoffice/tariffs/tariffs-page.tsx'),
    texts: ['networkBuild'],
    needs: network,
  },
  {
    path: '/admin/network/tariffs/:id',
    load: () => import('../../features/backoffice/tariffs/tariff-page.tsx'),
    texts: ['networkBuild'],
    needs: network,
  },
  {
    path: '/admin/network/promotions',
    load: () => import('../../features/backoffice/promotions/promotions-page.tsx'),
    texts: ['networkBuild'],
    needs: network,
  },
  {
    path: '/admin/network/parties',
    load: () => import('../../features/backoffice/parties/parties-page.tsx'),
    texts: ['networkBuild'],
    needs: network,
  },
  {
    path: '/admin/network/parties/:id',
    load: () => import('../../features/backoffice/parties/party-page.tsx'),
    texts: ['networkBuild'],
    needs: network,
    params: { id: digits },
  },
  {
    path: '/admin/network/rfid',
    load: () => import('../../features/backoffice/cards/cards-page.tsx'),
    texts: ['networkBuild'],
    needs: network,
  },
  {
    path: '/admin/shutdown',
    load: () => import('../../features/backoffice/shutdown/shutdown-page.tsx'),
    texts: ['admin'],
    needs: [...staff, 'manage-app'],
  },
];

/** The frame of the staff pages with its texts. No other page loads it. */
export const staffFrame = {
  async Component() {
    const frame = import('../../features/backoffice/shell/staff-frame.tsx');
    await loadTexts(['admin']);
    return (await frame).StaffFrame;
  },
};
