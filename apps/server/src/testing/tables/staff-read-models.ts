import type { ReadModel } from './read-model.ts';

/** The read models of the staff pages about operations, users and money. */
export const staffReadModels: Record<string, ReadModel> = {
  'backoffice/approvals/list.ts': {
    reads: ['staff_approvals', 'users'],
    why: 'What waits for approval names the user whose money it is and who asked for it.',
  },
  'backoffice/audit-list.ts': {
    reads: ['audit', 'audit_personal', 'users'],
    why: 'The audit list names the staff member of each record.',
  },
  'backoffice/cases/detail.ts': {
    reads: ['case_entries', 'cases', 'payments', 'refunds', 'users'],
    why: 'One case names the staff who wrote in it and lists what went back for its charge.',
  },
  'backoffice/cases/list.ts': {
    reads: ['cases', 'stations', 'users'],
    why: 'The queue names the driver, the station and the owner of each case.',
  },
  'backoffice/feedback/list.ts': {
    reads: ['connectors', 'feedback', 'operations', 'stations', 'users'],
    why: 'Feedback is filtered by station and shows the charge that it is about.',
  },
  'backoffice/money/cases.ts': {
    reads: [
      'accounts',
      'ledger_checks',
      'money_anomalies',
      'operations',
      'payments',
      'staff_money_out',
      'users',
      'wallets',
    ],
    why: 'What waits for somebody who knows about money, by kind.',
  },
  'backoffice/watch/audit-watch.ts': {
    reads: ['money_anomalies'],
    why: 'The metric counts the faults of the audit that are not resolved.',
  },
  'backoffice/notes.ts': {
    reads: ['users'],
    why: 'A note names the staff member who wrote it.',
  },
  'backoffice/own-money/profit.ts': {
    reads: [
      'accounts',
      'former_contacts',
      'money_anomalies',
      'operations',
      'parties',
      'party_members',
      'party_stays',
      'payments',
      'promotion_authors',
      'saved_cards',
      'staff_approvals',
      'transfers',
      'users',
      'wallets',
    ],
    why: 'Who profits from money is known only from the accounts, wallets, parties and cards of everybody together.',
  },
  'backoffice/operations/detail.ts': {
    reads: [
      'accounts',
      'cars',
      'charge_points',
      'connectors',
      'feedback',
      'ocpp_transactions',
      'operations',
      'payments',
      'stations',
      'users',
    ],
    why: 'One operation with its payment, at one moment, so it is one query.',
  },
  'backoffice/operations/list.ts': {
    reads: ['operations', 'stations', 'users'],
    why: 'A page of operations with their stations and users.',
  },
  'backoffice/operations/pages.ts': {
    reads: ['operations', 'stations', 'users'],
    why: 'Operations filtered by station, user, status and payment and sorted, in one query for each page.',
  },
  'backoffice/operations/story.ts': {
    reads: ['audit', 'commands', 'meter_samples', 'ocpp_transactions', 'operations', 'payments', 'refunds', 'users'],
    why: 'The milestones of an operation come from its charge, its payment, its device and staff.',
  },
  'backoffice/page-error.ts': {
    reads: ['page_errors', 'users'],
    why: 'A reported error of the web app names the user who saw it.',
  },
  'backoffice/search.ts': {
    reads: ['charge_points', 'connectors', 'operations', 'page_errors', 'payments', 'rfid_cards', 'stations', 'users'],
    why: 'One field finds an operation, a user, a station, a device, a payment, a card or a reported error.',
  },
  'backoffice/station-id.ts': {
    reads: ['stations'],
    why: 'Filters of staff name a station by its number.',
  },
  'backoffice/stats/charts.ts': {
    reads: ['stations'],
    why: 'The stations that delivered most are named by their numbers.',
  },
  'backoffice/stats/figures.ts': {
    reads: ['transfers', 'users', 'wallets'],
    why: 'What staff gave to balances and took from them is in the ledger alone.',
  },
  'backoffice/today.ts': {
    reads: ['charge_points', 'connectors', 'operations', 'staff_approvals'],
    why: 'Today at a glance counts what runs and what waits in every feature.',
  },
  'backoffice/users/detail.ts': {
    reads: ['parties', 'party_members', 'refunds', 'transfers'],
    why: 'One user with their party, and which of their transactions are reversed.',
  },
  'backoffice/users/now.ts': {
    reads: [
      'accounts',
      'commands',
      'connectors',
      'operations',
      'payments',
      'refunds',
      'sent_messages',
      'stations',
      'users',
    ],
    why: 'What a caller calls about: charge, charger, money and messages at a glance.',
  },
  'backoffice/users/list.ts': {
    reads: ['accounts', 'operations', 'stations', 'users', 'wallets'],
    why: 'Users with their wallet and their last charge, in one query for each page.',
  },
  'backoffice/watch/health.ts': {
    reads: ['operations', 'payments', 'terminations'],
    why: 'The health page counts what is wrong in every feature.',
  },
  'backoffice/watch/network-metrics.ts': {
    reads: ['charge_points', 'operations', 'payments'],
    why: 'The figures of the whole network for Prometheus, read at most every ten seconds.',
  },
  'backoffice/watch/system.ts': {
    reads: ['charge_point_anomalies', 'charge_points', 'job_failures', 'webhook_endpoints'],
    why: 'Failed jobs, anomalies of devices and paused webhooks in one list.',
  },
};
