import type { ReadModel } from './read-model.ts';

/** The read models of the staff pages about the network, and of integrations. */
export const networkReadModels: Record<string, ReadModel> = {
  'backoffice/commissioning/facts.ts': {
    reads: [
      'charge_points',
      'commands',
      'connectors',
      'message_pages',
      'meter_samples',
      'ocpp_transactions',
      'operations',
    ],
    why: 'The steps of a commissioning are what the charger has reported.',
  },
  'backoffice/commissioning/service.ts': {
    reads: ['charge_points', 'connectors', 'stations', 'users'],
    why: 'A commissioning names its charge point, its station and its technician.',
  },
  'backoffice/network/charge-point-detail.ts': {
    reads: [
      'charge_point_anomalies',
      'charge_point_links',
      'charge_point_notices',
      'charge_points',
      'commands',
      'connectors',
      'message_pages',
      'operations',
      'refused_connections',
      'stations',
      'users',
    ],
    why: 'One charge point with its connectors, its connection and what staff asked of it.',
  },
  'backoffice/network/charge-point-list.ts': {
    reads: ['charge_points', 'connectors', 'refused_connections', 'stations'],
    why: 'Charge points by identity, model or station, and devices that are not registered.',
  },
  'backoffice/network/message-search.ts': {
    reads: ['message_pages'],
    why: 'Staff search the messages of a charge point.',
  },
  'backoffice/network/attempts.ts': {
    reads: ['connectors', 'operations'],
    why: 'Whether each operation was an attempt to charge and how it went: judged in one place, for all figures.',
  },
  'backoffice/network/overview.ts': {
    reads: ['charge_points', 'connectors', 'operations', 'stations', 'stuck_connectors'],
    why: 'What does not work now comes from devices, connectors and operations.',
  },
  'backoffice/network/station-report.ts': {
    reads: ['charge_point_outages', 'connectors', 'feedback', 'operations', 'stations', 'unbilled_energy'],
    why: 'The figures of a station come from its charges, its ratings and the connection of its devices.',
  },
  'site-power/queue-power.ts': {
    reads: ['connectors'],
    why: 'The site of the connector at which a driver wants to wait.',
  },
  'site-power/site-admission.ts': {
    reads: ['connectors', 'operations'],
    why: 'The site of a connector, and of an operation that is about to start.',
  },
  'site-power/site-rows.ts': {
    reads: ['charge_points', 'commands', 'connectors', 'ocpp_transactions', 'operations', 'stations', 'users'],
    why: 'Every connector of a site with its charge, at one moment, so it is one query.',
  },
  'site-power/fallbacks.ts': {
    reads: ['charge_points', 'commands', 'connectors'],
    why: 'The outcome of a standing profile, and whether a device that left a site can be reached.',
  },
  'site-power/sites.ts': {
    reads: ['connectors', 'operations', 'stations'],
    why: 'Staff name the stations of a site by their numbers, and see which charges were stopped there.',
  },
  'backoffice/network/cards.ts': {
    reads: ['rfid_cards', 'users'],
    why: 'Cards with the names of their users.',
  },
  'backoffice/network/parties.ts': {
    reads: ['accounts', 'parties', 'party_members', 'stations', 'users'],
    why: 'Parties with their members, their balances and their stations.',
  },
  'backoffice/network/stations.ts': {
    reads: [
      'charge_points',
      'connectors',
      'links',
      'maintenance_windows',
      'parties',
      'stations',
      'tariffs',
      'virtual_station_connectors',
    ],
    why: 'Stations with their devices, prices, codes and parties as staff edit them.',
  },
  'backoffice/network/tariffs.ts': {
    reads: ['connectors', 'operations', 'tariff_changes', 'tariffs', 'users'],
    why: 'Tariffs with the connectors and running charges that have them, and who changed them.',
  },
  'integrations/api-keys.ts': {
    reads: ['users'],
    why: 'A key works only while the user who created it has the right, which the read of every call decides.',
  },
  'integrations/api-key-staff.ts': {
    reads: ['users'],
    why: 'Keys with the names of the staff who created them.',
  },
  'integrations/webhooks/events.ts': {
    reads: ['operations', 'stations'],
    why: 'The data of an event is the charge with its station, as they are in the step that changes the charge.',
  },
  'integrations/ocpi/cdr-store.ts': {
    reads: ['connectors', 'operations', 'payments', 'refunds', 'stations', 'transfers', 'users'],
    why: 'A charge detail record is one charge with its station, its money and what was refunded, in one query for each page.',
  },
  'integrations/ocpi/read-model.ts': {
    reads: [
      'charge_points',
      'connectors',
      'maintenance_windows',
      'operations',
      'parties',
      'stations',
      'tariff_changes',
      'tariffs',
    ],
    why: 'Partners ask for stations that changed since a time, which follows from everything that a station shows.',
  },
};
