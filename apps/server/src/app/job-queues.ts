import type { JobQueue, QueueOptions } from '../platform/jobs/job-queue.ts';

/**
 * Work that is not a step of an operation, payment or command: messages and scheduled jobs. A worker that dies is
 * noticed after `heartbeatSeconds`, the shortest interval that pg-boss allows. The pauses between retries grow.
 */
const patient = { heartbeatSeconds: 10, retryLimit: 8, retryDelay: 1, retryBackoff: true, retryDelayMax: 600 };

/** How each queue of `seams.ts` is retried. */
export const jobQueues: Readonly<Record<JobQueue, QueueOptions>> = {
  'platform.sweep': { ...patient, retryLimit: 1 },
  'charging.watch': { ...patient, retryLimit: 0 },
  'backoffice.recount': { ...patient, retryLimit: 0 },
  'money.hourly': { ...patient, retryLimit: 1 },
  'money.nightly': patient,
  'ledger.nightly': patient,
  'account.nightly': patient,
  'ocpp.nightly': patient,
  'integrations.nightly': patient,
  'messages.sms': { ...patient, retryLimit: 5, retryDelay: 5 },
  'messages.telegram': { ...patient, retryLimit: 6, retryDelay: 2 },
  'messages.push': { ...patient, retryLimit: 4, retryDelay: 5 },
  'messages.sweep': { ...patient, retryLimit: 1 },
};
