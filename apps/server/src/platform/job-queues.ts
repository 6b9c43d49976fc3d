/**
 * Work that is not a step of an operation, payment or command: messages and what the clock starts.
 * A worker that dies is noticed after `heartbeatSeconds`, the shortest pg-boss allows. Pauses between tries grow.
 */
const patient = { heartbeatSeconds: 10, retryLimit: 8, retryDelay: 1, retryBackoff: true, retryDelayMax: 600 };

export const jobQueues = {
  /** Once a minute: rows that have served their time go. */
  'platform.sweep': { ...patient, retryLimit: 1 },
  /** Once a minute: operations that nobody else would end. */
  'charging.watch': { ...patient, retryLimit: 0 },
  /** At night: the bank's statement against our books. */
  'money.nightly': patient,
  /** At night, whether or not the bank answers: the books against themselves. */
  'ledger.nightly': patient,
  /** At night: guests of long ago who never charged are forgotten. */
  'account.nightly': patient,
  /** At night: what devices reported long ago goes; partitions of the next months are made. */
  'ocpp.nightly': patient,
  /** One SMS each; an answer that never came is not asked for again. */
  'messages.sms': { ...patient, retryLimit: 5, retryDelay: 5 },
  /** One message of the bot each. */
  'messages.telegram': { ...patient, retryLimit: 6, retryDelay: 2 },
  /** Once a minute: what drivers should have been told and were not. */
  'messages.sweep': { ...patient, retryLimit: 1 },
} as const satisfies Record<string, object>;

export type JobQueue = keyof typeof jobQueues;
