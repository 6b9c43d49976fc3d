import type { Logger } from 'pino';
import type { Anomalies } from '../../payments/anomalies.ts';
import { type AuditHead, auditHead, type ChainFault, checkAuditChain } from '../../platform/audit-chain.ts';
import type { Database } from '../../platform/database.ts';
import type { RowLoops } from '../../platform/rows/row-loops.ts';
import type { Metrics } from '../../platform/watching/metrics.ts';

interface Dependencies {
  db: Database;
  log: Logger;
  metrics: Metrics;
  rows: Pick<RowLoops, 'each'>;
  anomalies: Pick<Anomalies, 'note'>;
}

/** Watches that no record of the audit is changed or removed. */
export interface AuditWatch {
  /** Computes the chain again and lists every fault for staff. */
  check(): Promise<ChainFault[]>;
  /**
   * Writes the end of the chain into the log when it has grown. Logs leave the machine, so they show when somebody with
   * all rights on the database has removed the newest records together with their links.
   */
  noteHead(): Promise<void>;
}

export function createAuditWatch({ db, log, metrics, rows, anomalies }: Dependencies): AuditWatch {
  let noted: AuditHead = { seq: 0, hash: '' };
  metrics.gauge('fpay_audit_head', 'Records of the audit in its chain; it never falls', async () => {
    return (await auditHead(db)).seq;
  });
  metrics.gauge('fpay_audit_faults', 'Open faults of the audit chain', async () => {
    const row = await db
      .selectFrom('money_anomalies')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('kind', '=', 'audit_fault')
      .where('resolved_at', 'is', null)
      .executeTakeFirstOrThrow();
    return Number(row.count);
  });

  return {
    async check() {
      const faults = await checkAuditChain(db, noted.seq > 0 ? [noted] : []);
      const nameOf = ({ id, seq, fault }: ChainFault) => `${id === null ? `link ${seq}` : `record ${id}`}: ${fault}`;
      await rows.each('audit.fault', faults, nameOf, (found) =>
        anomalies.note({ db }, { kind: 'audit_fault', subject: nameOf(found), details: { ...found } }),
      );
      return faults;
    },
    async noteHead() {
      const head = await auditHead(db);
      if (head.seq === noted.seq && head.hash === noted.hash) return;
      // A chain that became shorter is compared with the longer one in the nightly check.
      if (head.seq < noted.seq) log.error({ noted, head }, 'audit chain shrank');
      else noted = head;
      log.info(head, 'audit head');
    },
  };
}
