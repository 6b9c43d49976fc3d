import type { ChargePointView } from '@fpay/contract/admin/network/charge-points';

export interface ConfigurationRow {
  key: string;
  value: string;
  isReadOnly: boolean;
  /** The device refused our value, or needs a reboot for it. */
  note: 'refused' | 'reboot' | null;
}

interface ListedKey {
  key?: unknown;
  value?: unknown;
  readonly?: unknown;
}

/** The last full list of the device if there is one, otherwise what was read after its boot. */
export function configurationOf({ commands, configuration }: Pick<ChargePointView, 'commands' | 'configuration'>) {
  const { values, refused, needs_reboot } = configuration;
  const listed = commands.find(
    ({ action, status, payload }) =>
      action === 'GetConfiguration' && status === 'answered' && payload.key === undefined,
  )?.answer?.configurationKey;
  const rows = Array.isArray(listed)
    ? (listed as ListedKey[]).map(
        ({ key, value, readonly }) => [String(key), String(value ?? ''), readonly === true] as const,
      )
    : Object.entries(values).map(([key, value]) => [key, value, false] as const);
  return rows
    .map(
      ([key, value, isReadOnly]): ConfigurationRow => ({
        key,
        value,
        isReadOnly,
        note: key in refused ? 'refused' : needs_reboot.includes(key) ? 'reboot' : null,
      }),
    )
    .toSorted((one, other) => one.key.localeCompare(other.key));
}
