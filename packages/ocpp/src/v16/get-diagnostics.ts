import { message } from '../message.ts';
import { object, optional } from '../schema.ts';
import { addressSchema, instant, integer, textSchema } from '../values.ts';

/** An answer without a file name means that there is nothing to send. Progress follows as DiagnosticsStatusNotification. */
export const GetDiagnostics = message({
  action: 'GetDiagnostics',
  sentBy: 'centralSystem',
  request: object({
    location: addressSchema(1_000),
    retries: optional(integer({ min: 0 })),
    retryInterval: optional(integer({ min: 0 })),
    startTime: optional(instant()),
    stopTime: optional(instant()),
  }),
  response: object({ fileName: optional(textSchema(255)) }),
});
