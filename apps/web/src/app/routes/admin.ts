import type { Permission } from '@fpay/contract/roles';
import '../../i18n/staff-texts.ts';
import { loadTexts } from '../../i18n/i18n.ts';
import { digits, digitsOrPhone } from '../guard.ts';
import type { PageDeclaration } from './page.ts';

const staff: readonly Permission[] = ['access-admin-page'];
const operationWatch: readonly Permission[] = [...staff, 'monitor-operations'];
/** As in the contract, and in small letters. */
const stationNumber = /^F\d{1,8}$/i;
const integrations: readonly Permission[] = [...staff, 'manage-integrations'];
const networkView: readonly Permission[] = [...staff, 'view-network'];

export const adminPages: PageDeclaration[] = [
  {
    path: '/admin',
    load: () => import('../../features/backoffice/home/home-page.tsx'),
    texts: ['admin', 'adminHome'],
    needs: staff,
  },
  {
    path: '/admin/operations',
    load: () => import('../../features/backoffice/operations/operations-page.tsx'),
    texts: ['admin', 'adminOperations'],
    needs: staff,
  },
  {
    path: '/admin/operations/:operation',
    load: () => import('../../features/backoffice/operation/operation-page.tsx'),
    texts: ['admin', 'adminCases', 'adminOperations'],
    needs: staff,
    params: { operation: digits },
  },
  {
    path: '/admin/users',
    load: () => import('../../features/backoffice/users/users-page.tsx'),
    texts: ['admin', 'adminOperations', 'adminUsers'],
    needs: staff,
  },
  {
    path: '/admin/users/:user',
    load: () => import('../../features/backoffice/user/user-page.tsx'),
    texts: ['admin', 'adminCases', 'adminOperations', 'adminUsers'],
    needs: staff,
    params: { user: digitsOrPhone },
  },
  {
    path: '/admin/reasons',
    load: () => import('../../features/backoffice/phrases/reasons-page.tsx'),
    texts: ['admin', 'adminPhrases'],
    needs: [...staff, 'manage-users'],
  },
  {
    path: '/admin/page-errors/:code',
    load: () => import('../../features/backoffice/health/page-error-page.tsx'),
    texts: ['admin', 'adminHealth'],
    needs: operationWatch,
    params: { code: /^[A-HJKMNP-Z2-9]{8}$/ },
  },
  {
    path: '/admin/stats',
    load: () => import('../../features/backoffice/stats/stats-page.tsx'),
    texts: ['admin', 'adminStats'],
    needs: staff,
  },
  {
    path: '/admin/feedback',
    load: () => import('../../features/backoffice/feedback/feedback-page.tsx'),
    texts: ['admin', 'adminFeedback', 'adminOperations'],
    needs: staff,
  },
  {
    path: '/admin/cases',
    load: () => import('../../features/backoffice/cases/cases-page.tsx'),
    texts: ['admin', 'adminCases', 'adminOperations'],
    needs: [...staff, 'monitor-users'],
  },
  {
    path: '/admin/cases/:case',
    load: () => import('../../features/backoffice/cases/cases-page.tsx'),
    texts: ['admin', 'adminCases', 'adminOperations'],
    needs: [...staff, 'monitor-users'],
    params: { case: digits },
  },
  {
    path: '/admin/anomalies',
    load: () => import('../../features/backoffice/health/anomalies-page.tsx'),
    texts: ['admin', 'adminHealth', 'adminOperations'],
    needs: operationWatch,
  },
  {
    path: '/admin/terminator',
    load: () => import('../../features/backoffice/health/terminator-page.tsx'),
    texts: ['admin', 'adminHealth'],
    needs: operationWatch,
  },
  {
    path: '/admin/counters',
    load: () => import('../../features/backoffice/health/counters-page.tsx'),
    texts: ['admin', 'adminHealth', 'adminOperations'],
    needs: operationWatch,
  },
  {
    path: '/admin/network/stations',
    load: () => import('../../features/backoffice/network/stations/stations-page.tsx'),
    texts: ['admin', 'network', 'networkStations'],
    needs: networkView,
  },
  {
    path: '/admin/network/stations/:number',
    load: () => import('../../features/backoffice/network/stations/station-page.tsx'),
    texts: ['admin', 'network', 'networkStations'],
    needs: networkView,
  },
  {
    path: '/admin/network/import',
    load: () => import('../../features/backoffice/network/stations/import-page.tsx'),
    texts: ['admin', 'network', 'networkStations'],
    needs: networkView,
  },
  {
    path: '/admin/network/tariffs',
    load: () => import('../../features/backoffice/network/tariffs/tariffs-page.tsx'),
    texts: ['admin', 'network', 'networkTariffs'],
    needs: networkView,
  },
  {
    path: '/admin/network/tariffs/:id',
    load: () => import('../../features/backoffice/network/tariffs/tariff-page.tsx'),
    texts: ['admin', 'network', 'networkTariffs'],
    needs: networkView,
  },
  {
    path: '/admin/network/promotions',
    load: () => import('../../features/backoffice/network/promotions/promotions-page.tsx'),
    texts: ['admin', 'network', 'networkPromotions'],
    needs: networkView,
  },
  {
    path: '/admin/network/parties',
    load: () => import('../../features/backoffice/network/parties/parties-page.tsx'),
    texts: ['admin', 'network', 'networkParties'],
    needs: networkView,
  },
  {
    path: '/admin/network/parties/:id',
    load: () => import('../../features/backoffice/network/parties/party-page.tsx'),
    texts: ['admin', 'network', 'networkParties'],
    needs: networkView,
    params: { id: digits },
  },
  {
    path: '/admin/network/rfid',
    load: () => import('../../features/backoffice/network/cards/cards-page.tsx'),
    texts: ['admin', 'network', 'networkCards'],
    needs: networkView,
  },
  {
    path: '/admin/network',
    load: () => import('../../features/backoffice/network/overview/overview-page.tsx'),
    texts: ['admin', 'network', 'networkOverview'],
    needs: networkView,
  },
  {
    path: '/admin/network/sites',
    load: () => import('../../features/backoffice/network/sites/sites-page.tsx'),
    texts: ['admin', 'network', 'networkSites'],
    needs: networkView,
  },
  {
    path: '/admin/network/sites/:site',
    load: () => import('../../features/backoffice/network/sites/site-page.tsx'),
    texts: ['admin', 'network', 'networkSites'],
    needs: networkView,
    params: { site: digits },
  },
  {
    path: '/admin/network/stations/:station/report',
    load: () => import('../../features/backoffice/network/report/report-page.tsx'),
    texts: ['admin', 'network', 'networkOverview', 'networkReport'],
    needs: [...networkView, 'see-stats'],
    params: { station: stationNumber },
  },
  {
    path: '/admin/network/charge-points',
    load: () => import('../../features/backoffice/network/charge-points/charge-points-page.tsx'),
    texts: ['admin', 'network', 'networkChargePoints'],
    needs: networkView,
  },
  {
    path: '/admin/network/charge-points/:chargePoint/commissioning',
    load: () => import('../../features/backoffice/network/commissioning/commissioning-page.tsx'),
    texts: ['admin', 'network', 'networkCommissioning'],
    needs: networkView,
    params: { chargePoint: digits },
  },
  {
    path: '/admin/network/charge-points/:chargePoint',
    load: () => import('../../features/backoffice/network/charge-points/charge-point-page.tsx'),
    texts: ['admin', 'network', 'networkChargePoints'],
    needs: networkView,
    params: { chargePoint: digits },
  },
  {
    path: '/admin/integrations',
    load: () => import('../../features/backoffice/integrations/keys-page.tsx'),
    texts: ['admin', 'integrations'],
    needs: integrations,
  },
  {
    path: '/admin/integrations/webhooks',
    load: () => import('../../features/backoffice/integrations/webhooks-page.tsx'),
    texts: ['admin', 'integrations'],
    needs: integrations,
  },
  {
    path: '/admin/integrations/webhooks/:webhook',
    load: () => import('../../features/backoffice/integrations/webhook-page.tsx'),
    texts: ['admin', 'integrations'],
    needs: integrations,
    params: { webhook: digits },
  },
  {
    path: '/admin/integrations/ocpi',
    load: () => import('../../features/backoffice/integrations/partners-page.tsx'),
    texts: ['admin', 'integrations'],
    needs: integrations,
  },
  {
    path: '/admin/system',
    load: () => import('../../features/backoffice/health/system-page.tsx'),
    texts: ['admin', 'adminHealth'],
    needs: operationWatch,
  },
  {
    path: '/admin/money',
    load: () => import('../../features/backoffice/money/money-page.tsx'),
    texts: ['admin', 'adminMoney', 'adminOperations', 'networkPromotions'],
    needs: [...staff, 'manipulate-payments'],
  },
  {
    path: '/admin/audit',
    load: () => import('../../features/backoffice/audit/audit-page.tsx'),
    texts: ['admin', 'adminAudit'],
    needs: [...staff, 'manage-app'],
  },
  {
    path: '/admin/shutdown',
    load: () => import('../../features/backoffice/shutdown/shutdown-page.tsx'),
    texts: ['admin', 'adminShutdown'],
    needs: [...staff, 'manage-app'],
  },
];

/** The frame of the staff pages with its texts. No other page loads it. */
export async function loadStaffFrame() {
  const frame = import('../../features/backoffice/shell/staff-frame.tsx');
  await loadTexts(['admin']);
  return (await frame).StaffFrame;
}
