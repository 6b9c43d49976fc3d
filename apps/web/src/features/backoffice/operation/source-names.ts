import type { AdminOperation } from '@fpay/contract/admin/operations';
import type { TextKey } from '../../../i18n/text-key.ts';

/** What the driver began the operation with. */
export const sourceNames = {
  app: 'adminOperations:sourceApp',
  rfid: 'adminOperations:sourceRfid',
} as const satisfies Record<AdminOperation['source'], TextKey>;
