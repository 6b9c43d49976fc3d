import { Refusal } from '../../platform/refusal.ts';
import type { Step } from '../../platform/step.ts';

interface CertificateNeed {
  isNeeded: boolean;
  /** False when the server has no TLS endpoint: a device that needed a certificate could not connect at all. */
  takesCertificates: boolean;
}

/**
 * Decides whether a device signs in by its certificate or by its password, for the staff screens and for the command
 * line. Returns the value before; a connection that is open stays open.
 * @refuses not_found, client_certificates_off
 */
export async function setNeedsCertificate(
  step: Step,
  chargePointId: number,
  { isNeeded, takesCertificates }: CertificateNeed,
): Promise<{ wasNeeded: boolean }> {
  if (isNeeded && !takesCertificates) throw new Refusal('client_certificates_off');
  const point = await step.db
    .selectFrom('charge_points')
    .select('needs_certificate')
    .where('id', '=', chargePointId)
    .forUpdate()
    .executeTakeFirst();
  if (!point) throw new Refusal('not_found');
  await step.db
    .updateTable('charge_points')
    .set({ needs_certificate: isNeeded })
    .where('id', '=', chargePointId)
    .where('needs_certificate', '!=', isNeeded)
    .execute();
  return { wasNeeded: point.needs_certificate };
}
