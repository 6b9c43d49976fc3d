import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Step } from '../platform/step.ts';

export interface LogLine {
  at: Date;
  actor: string;
  text: string;
}

/** The logs of operations. Refuses nothing. */
export interface OperationLogStore {
  /** Adds a line to the operation's log; a technical one is shown only to staff who may read those. */
  note(step: Step, operation: number, actor: string, text: string, isTechnical?: boolean): Promise<void>;
  /** Adds a technical line, unless the log ends with the same one. */
  noteOnce(step: Step, operation: number, actor: string, text: string): Promise<void>;
  log(operation: number, withTechnical: boolean): Promise<LogLine[]>;
}

interface Dependencies {
  db: Database;
  clock: Clock;
  log: Pick<Logger, 'info'> | undefined;
}

export function createOperationLogStore({ db, clock, log }: Dependencies): OperationLogStore {
  return {
    async note(step: Step, operation: number, actor: string, text: string, isTechnical = false): Promise<void> {
      await step.db
        .insertInto('operation_log')
        .values({ operation_id: operation, actor, text, is_technical: isTechnical, created_at: clock.now() })
        .execute();
      // The same line in the server's log, so that a charge can be followed there through all nodes.
      step.afterCommit(() => log?.info({ operation, actor, text }, 'operation logged'));
    },

    async noteOnce(step: Step, operation: number, actor: string, text: string): Promise<void> {
      const added = await sql`
        insert into operation_log (operation_id, actor, text, is_technical, created_at)
        select ${operation}, ${actor}, ${text}, true, ${clock.now()}
        where not exists (
          select from (select actor, text from operation_log
            where operation_id = ${operation} order by id desc limit 1) last
          where last.actor = ${actor} and last.text = ${text})`.execute(step.db);
      if (added.numAffectedRows) step.afterCommit(() => log?.info({ operation, actor, text }, 'operation logged'));
    },

    async log(operation: number, withTechnical: boolean): Promise<LogLine[]> {
      return db
        .selectFrom('operation_log')
        .select(['created_at as at', 'actor', 'text'])
        .where('operation_id', '=', operation)
        .$if(!withTechnical, (query) => query.where('is_technical', '=', false))
        .orderBy('id')
        .execute();
    },
  };
}
