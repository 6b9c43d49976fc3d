import { digits } from '../guard.ts';
import { notBuilt, type PageDeclaration } from './page.ts';

export const driverPages: PageDeclaration[] = [
  { path: '/', load: notBuilt },
  { path: '/map', load: notBuilt },
  { path: '/qr', load: notBuilt },
  { path: '/qr/:link', load: notBuilt },
  { path: '/station/:station', load: () => import('../../features/stations/station-page.tsx'), signIn: true },
  { path: '/station/v/:station', load: () => import('../../features/stations/virtual-station-page.tsx'), signIn: true },
  {
    path: '/status/:transaction',
    load: () => import('../pages/status.tsx'),
    header: 'none',
    signIn: true,
    params: { transaction: digits },
  },
  { path: '/active', load: () => import('../../features/charging/active-page.tsx'), signIn: true },
  {
    path: '/offline',
    load: () => import('../../features/maintenance/offline-page.tsx'),
    header: 'brandOnly',
    duringSession: true,
  },
  { path: '/debug', load: () => import('../pages/debug.tsx'), header: 'none' },
];
