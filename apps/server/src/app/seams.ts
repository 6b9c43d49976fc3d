import type { StaffList } from '@fpay/contract/admin/live';
import type { PushJob } from '../messages/push/sending.ts';
import type { SmsJob } from '../messages/sms.ts';
import type { TelegramMessage } from '../messages/telegram/sending.ts';
import type {} from '../ocpp/commands/command.ts';
import type {} from '../ocpp/commands/wishes.ts';
import type {} from '../platform/approvals.ts';
import type {} from '../platform/audit.ts';
import type {} from '../platform/jobs/due-work.ts';
import type {} from '../platform/jobs/job-queue.ts';
import type {} from '../platform/topics.ts';

/**
 * The names by which parts of the product reach each other through rows of the database. A name that is not declared here
 * does not compile where it is published, subscribed to, woken, registered or enqueued. `seams.test.ts` checks that each one is
 * used at both ends.
 */

declare module '../platform/topics.ts' {
  interface Topics {
    /** An operation changed, or what its page shows with it: its payment, its readings, its feedback. */
    operation: number;
    /** A station looks different on the map. */
    station: number;
    /** Drivers at this station wait for power of its site, and the queue moved. */
    'site-queue': number;
    /** A list of staff changed that is not about one operation. */
    'staff-list': StaffList;
    /** The balance of a wallet changed, or who uses it. */
    wallet: number;
    /** A user signed out, was banned, or has a new role or password: their sockets are closed. */
    'signed-out': number;
    /** The service was shut down or turned on. */
    maintenance: 'state';
    /** A request to bind an RFID card was made or has ended. */
    'rfid-request': number;
    /** The reference is the user and the card, because a deleted card has no row that names its user. */
    'rfid-card-added': `${number}:${number}`;
    'rfid-card-deleted': `${number}:${number}`;
    /** A command waits for this charge point. */
    command: number;
    /** A command has its outcome. */
    'command-outcome': number;
    /** A charge point connected to another node than before. */
    'charge-point-link': number;
  }
}

declare module '../platform/jobs/due-work.ts' {
  /** Each kind of due work with its table. */
  interface DueKinds {
    operation: 'operations';
    'idle-watch': 'idle_watches';
    payment: 'payments';
    refund: 'refunds';
    'saved-card': 'saved_cards';
    command: 'commands';
    'stuck-connector': 'stuck_connectors';
    'rfid-request': 'rfid_requests';
    'free-alert': 'free_alerts';
    'maintenance-window': 'maintenance_windows';
    'tariff-change': 'tariff_changes';
    'party-allowance': 'party_allowances';
    'site-power': 'sites';
    'webhook-delivery': 'webhook_deliveries';
    'device-wish': 'device_wishes';
    case: 'cases';
  }
}

declare module '../ocpp/commands/command.ts' {
  /** Who receives the outcomes of the commands that it enqueued, with the table of what the command was for. */
  interface OutcomeReceivers {
    charging: 'operations';
    'stuck-connector': 'stuck_connectors';
  }
}

declare module '../ocpp/commands/wishes.ts' {
  /** What may be wanted of a device that is not connected, with the table of its subject. */
  interface DeviceWishes {
    /** A charge that must end. */
    stop: 'ocpp_transactions';
    /** A charge whose device shall have its limit. */
    profile: 'operations';
  }
}

declare module '../platform/jobs/job-queue.ts' {
  interface JobQueues {
    /** Once a minute: deletes expired rows. */
    'platform.sweep': object;
    /** Once a minute: ends operations that no other rule would end. */
    'charging.watch': object;
    /** Once a minute: hours of the staff's figures whose operations have changed are counted again. */
    'backoffice.recount': object;
    /** Every hour: compares what the bank has moved lately, and payments whose status staff forced, with our books. */
    'money.hourly': object;
    /** At night: compares the bank's statement with our books. */
    'money.nightly': object;
    /** At night, whether or not the bank answers: checks the books for consistency. */
    'ledger.nightly': object;
    /** At night: deletes old guests who never charged. */
    'account.nightly': object;
    /** At night: deletes old device reports and creates the partitions of the next months. */
    'ocpp.nightly': object;
    /** At night: deletes old events of webhooks. */
    'integrations.nightly': object;
    /** One SMS each; it is not sent again when the provider's answer never arrived. */
    'messages.sms': SmsJob;
    /** One bot message each. */
    'messages.telegram': TelegramMessage;
    /** One push message each, to one browser. */
    'messages.push': PushJob;
    /** Once a minute: sends notifications that drivers should have received and did not. */
    'messages.sweep': object;
  }
}

declare module '../platform/audit.ts' {
  /** What staff act on, each with its table; null where it is not a row. */
  interface AuditSubjects {
    user: 'users';
    operation: 'operations';
    payment: 'payments';
    transaction: 'transfers';
    'charge-point': 'charge_points';
    party: 'parties';
    promotion: 'promotions';
    station: 'stations';
    'rfid-card': 'rfid_cards';
    tariff: 'tariffs';
    'money-anomaly': 'money_anomalies';
    case: 'cases';
    site: 'sites';
    'api-key': 'api_keys';
    webhook: 'webhook_endpoints';
    'ocpi-partner': 'ocpi_partners';
    service: null;
    network: null;
    export: null;
    /** A list that staff read; its id is the reader. */
    list: null;
  }
}

declare module '../platform/approvals.ts' {
  /** What may wait for a second staff member, each kind with what is stored to carry it out. The contract names them too. */
  interface ApprovalKinds {
    increase: Record<string, never>;
    decrease: Record<string, never>;
    /** The request of the action, as the contract has it. */
    'operation-action': ApprovalPayload;
    'payment-action': ApprovalPayload;
    promotion: { code: string; station: string | null; revision: number; budget: number | null };
    /** `starts_at` null: as soon as it is approved. */
    tariff: { change: number; name: string; is_free: boolean; starts_at: string | null };
    reversal: { cancel_payment: boolean; allow_partial: boolean };
  }
}
