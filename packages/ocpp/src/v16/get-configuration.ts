import { message, type ReadResponseOf } from '../message.ts';
import { list, object, optional, orElse } from '../schema.ts';
import { bool, textSchema } from '../values.ts';

export const GetConfiguration = message({
  action: 'GetConfiguration',
  sentBy: 'centralSystem',
  /** Without keys, all are returned. */
  request: object({ key: optional(list(textSchema(50))) }),
  response: object({
    configurationKey: optional(
      list(object({ key: textSchema(50), readonly: orElse(bool(), false), value: optional(textSchema(500)) })),
    ),
    unknownKey: optional(list(textSchema(50))),
  }),
});

export type ConfigurationKey = NonNullable<ReadResponseOf<typeof GetConfiguration>['configurationKey']>[number];
