/**
 * The queues of jobs, each with what a job carries: nothing for a queue that the clock fills. The platform knows none of them:
 * the product declares its queues by merging them into this interface (`seams.ts`).
 */
// biome-ignore lint/suspicious/noEmptyInterface: the product adds the members by declaration merging
export interface JobQueues {}

export type JobQueue = keyof JobQueues;

/** The part of pg-boss's options that the product decides. */
export interface QueueOptions {
  heartbeatSeconds: number;
  retryLimit: number;
  retryDelay: number;
  retryBackoff: boolean;
  retryDelayMax: number;
}
