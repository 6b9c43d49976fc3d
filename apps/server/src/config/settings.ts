import * as z from 'zod/mini';
import { type SettingGroup, type SettingTable, schemasOf } from './setting.ts';
import { bankSettings } from './settings/bank.ts';
import { databaseSettings } from './settings/database.ts';
import { mapSettingTable, networkSettings } from './settings/network.ts';
import { ocpiSettings } from './settings/ocpi.ts';
import { pushSettings } from './settings/push.ts';
import { retentionSettings } from './settings/retention.ts';
import { serviceSettings } from './settings/services.ts';
import { servingSettings } from './settings/serving.ts';
import { chargePointSettings } from './settings/tls.ts';
import { traceSettingTable } from './settings/traces.ts';

/** Every variable that the product reads. */
export const settings = {
  ...databaseSettings,
  ...servingSettings,
  ...bankSettings,
  ...serviceSettings,
  ...networkSettings,
  ...chargePointSettings,
  ...pushSettings,
  ...ocpiSettings,
  ...mapSettingTable,
  ...retentionSettings,
  ...traceSettingTable,
} as const;

/** In the order of the table for operators. */
export const settingGroups: readonly SettingGroup[] = [
  { title: 'Serving', settings: servingSettings },
  { title: 'Database', settings: databaseSettings },
  { title: 'Bank', settings: bankSettings },
  { title: 'Messages', settings: serviceSettings },
  { title: 'The network', settings: networkSettings },
  { title: 'Charge points', settings: chargePointSettings },
  { title: 'Web push', settings: pushSettings },
  { title: 'Partners', settings: ocpiSettings },
  { title: 'Maps', settings: mapSettingTable },
  { title: 'How long reports are kept', settings: retentionSettings },
  { title: 'Traces', settings: traceSettingTable },
];

const table: SettingTable = settings;
export type SettingName = keyof typeof settings;

/** The names of those with a property, in the order of their declaration. */
export const settingsWith = (property: 'isRequired' | 'isSecret' | 'isOutside' | 'sandbox'): SettingName[] =>
  (Object.keys(settings) as SettingName[]).filter((name) => table[name]?.[property]);

export const remedyOf = (name: string): string | undefined => table[name]?.remedy;
export const sandboxTokenOf = (name: string): string | undefined => table[name]?.sandbox;

export const Environment = z.object(schemasOf(settings));
export type Env = z.infer<typeof Environment>;
