import type { Step } from '../../platform/step.ts';

/**
 * Whether the site of a connector has power for another charge. The site is locked before any user and operation, in
 * every step that asks, so two starts at one moment are decided one after the other.
 */
export interface SiteRoom {
  lock(step: Step, connector: number): Promise<void>;
  /** For an operation that is about to start; any other locks nothing. */
  lockForStart(step: Step, operation: number): Promise<void>;
  /**
   * `wait`: others are lowering their power. An operation that was not opened yet never waits, and gets nothing of what is
   * kept for drivers who wait in the queue of the site before its own user.
   */
  mayBegin(
    step: Step,
    asked: { connector: number; operation: number | null; user: number },
  ): Promise<'yes' | 'wait' | 'full'>;
  /** After the commit the site is planned again. */
  changed(step: Step, connector: number): void;
}
