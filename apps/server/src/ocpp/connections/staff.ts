import { type Audit, noRecord } from '../../platform/audit.ts';
import type { Clock } from '../../platform/clock.ts';
import { Refusal } from '../../platform/refusal.ts';
import type { Step, Steps } from '../../platform/step.ts';
import { setNeedsCertificate } from './certificate-need.ts';
import { keyHash, keyText, newKey } from './charge-point-key.ts';
import { addChargePoint, findChargePoint, setChargePointKey } from './charge-points.ts';

/** A device's identity with its password, which exists in readable form only in this value. */
export interface NewCredentials {
  id: number;
  identity: string;
  password: string;
}

/** Staff register devices and decide how they sign in, on record and without the password in it. */
export interface ChargePointStaffActions {
  /** @refuses charge_point_exists */
  register(staff: number, identity: string): Promise<NewCredentials>;
  /** @refuses not_found */
  renewKey(staff: number, chargePointId: number): Promise<NewCredentials>;
  /** @refuses not_found, client_certificates_off */
  secure(staff: number, chargePointId: number, needsCertificate: boolean): Promise<void>;
}

interface Dependencies {
  steps: Steps;
  audit: Audit;
  clock: Clock;
  /** Keys are stored as HMAC with it. */
  secret: string;
  takesCertificates: boolean;
}

export function createChargePointStaffActions(given: Dependencies): ChargePointStaffActions {
  const { steps, audit, clock, secret, takesCertificates } = given;
  return {
    register(staff, identity) {
      const key = newKey();
      return steps.run(async (step) => {
        if ((await findChargePoint(step.db, identity)) !== null) throw new Refusal('charge_point_exists');
        const id = await addChargePoint(step, { identity, keyHash: keyHash(secret, key), now: clock.now() });
        const subject = { kind: 'charge-point', id } as const;
        await audit(step, { staff, action: 'charge-point.register', subject, after: { identity } });
        return { id, identity, password: keyText(key) };
      });
    },

    renewKey(staff, chargePointId) {
      const key = newKey();
      return steps.run(async (step) => {
        const point = await lock(step, chargePointId);
        await setChargePointKey(step.db, point.identity, keyHash(secret, key));
        const subject = { kind: 'charge-point', id: chargePointId } as const;
        await audit(step, { staff, action: 'charge-point.renew-key', subject });
        return { id: chargePointId, identity: point.identity, password: keyText(key) };
      });
    },

    async secure(staff, chargePointId, needsCertificate) {
      await steps.run(async (step) => {
        const need = { isNeeded: needsCertificate, takesCertificates };
        const { wasNeeded } = await setNeedsCertificate(step, chargePointId, need);
        if (wasNeeded === needsCertificate) return noRecord('unchanged');
        const subject = { kind: 'charge-point', id: chargePointId } as const;
        const change = { before: { needs_certificate: wasNeeded }, after: { needs_certificate: needsCertificate } };
        await audit(step, { staff, action: 'charge-point.secure', subject, ...change });
      });
    },
  };
}

async function lock(step: Step, chargePointId: number) {
  const point = await step.db
    .selectFrom('charge_points')
    .select('identity')
    .where('id', '=', chargePointId)
    .forUpdate()
    .executeTakeFirst();
  if (!point) throw new Refusal('not_found');
  return point;
}
