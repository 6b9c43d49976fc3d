import { message, type ReadResponseOf } from '../message.ts';
import { list, object, optional, orElse } from '../schema.ts';
import { bool, text } from '../values.ts';

export const GetConfiguration = message({
  action: 'GetConfiguration',
  sentBy: 'centralSystem',
  /** No keys: all of them. */
  request: object({ key: optional(list(text(50))) }),
  response: object({
    configurationKey: optional(
      list(object({ key: text(50), readonly: orElse(bool(), false), value: optional(text(500)) })),
    ),
    unknownKey: optional(list(text(50))),
  }),
});

export type ConfigurationKey = NonNullable<ReadResponseOf<typeof GetConfiguration>['configurationKey']>[number];
