import { digits } from '../guard.ts';
import type { PageDeclaration } from './page.ts';

const status = { load: () => import('../pages/status.tsx'), texts: ['status'] } as const;

export const driverPages: PageDeclaration[] = [
  { path: '/', load: () => import('../../features/map/map-page.tsx'), texts: ['map'], header: 'map' },
  { path: '/map', load: () => import('../../features/map/map-page.tsx'), texts: ['map'], header: 'map' },
  { path: '/qr', load: () => import('../../features/qr/qr-page.tsx'), texts: ['qr'], header: 'camera' },
  { path: '/qr/:link', load: () => import('../../features/qr/link-page.tsx') },
  {
    path: '/station/:station',
    load: () => import('../../features/stations/station-page.tsx'),
    texts: ['station'],
    next: status,
    signIn: true,
  },
  {
    path: '/station/v/:station',
    load: () => import('../../features/stations/virtual-station-page.tsx'),
    texts: ['station'],
    next: status,
    signIn: true,
  },
  {
    path: '/status/:operation',
    ...status,
    header: 'none',
    signIn: true,
    params: { operation: digits },
  },
  {
    path: '/active',
    load: () => import('../../features/charging/active-page.tsx'),
    texts: ['status'],
    header: 'page',
    signIn: true,
  },
  {
    path: '/support',
    load: () => import('../../features/support/support-page.tsx'),
    texts: ['support'],
    header: 'page',
    signIn: true,
  },
  {
    path: '/support/:thread',
    load: () => import('../../features/support/thread-page.tsx'),
    texts: ['support'],
    header: 'page',
    signIn: true,
    params: { thread: digits },
  },
  {
    path: '/offline',
    load: () => import('../../features/maintenance/offline-page.tsx'),
    texts: ['maintenance'],
    header: 'brandOnly',
    duringOperation: true,
  },
  {
    path: '/instruction',
    load: () => import('../../features/instruction/instruction-page.tsx'),
    texts: ['instruction'],
    header: 'page',
    duringOperation: true,
  },
  { path: '/404', load: () => import('../pages/missing.tsx'), texts: ['payment', 'station'] },
  { path: '/debug', load: () => import('../pages/debug.tsx'), header: 'none' },
];
