import * as z from 'zod/mini';
import type { SettingTable } from '../setting.ts';
import { textWith, url } from './fields.ts';

/** Where traces are sent, under the names that OpenTelemetry gives its settings. */
export interface TraceSettings {
  endpoint: string;
  service: string;
  ratio: number;
}

export const traceSettingTable = {
  OTEL_EXPORTER_OTLP_ENDPOINT: {
    schema: z.optional(url('http:', 'https:')),
    shown: 'none',
    meaning: 'an OpenTelemetry collector (OTLP over HTTP) that gets [traces](operations.md#follow-one-charge)',
  },
  OTEL_SERVICE_NAME: { schema: textWith('fpay'), meaning: 'the name of the service in them' },
  OTEL_TRACES_SAMPLER_ARG: {
    schema: z._default(
      z.pipe(z.string().check(z.regex(/^(0(\.\d+)?|1(\.0+)?)$/, 'must be a number from 0 to 1')), z.transform(Number)),
      1,
    ),
    meaning: 'which part of them is sent, from 0 to 1',
  },
} as const satisfies SettingTable;

interface TraceVariables {
  OTEL_EXPORTER_OTLP_ENDPOINT?: string | undefined;
  OTEL_SERVICE_NAME: string;
  OTEL_TRACES_SAMPLER_ARG: number;
}

/** Null when traces are off. */
export function traceSettingsOf(env: TraceVariables): TraceSettings | null {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_SERVICE_NAME: service, OTEL_TRACES_SAMPLER_ARG: ratio } = env;
  return endpoint === undefined ? null : { endpoint, service, ratio };
}
