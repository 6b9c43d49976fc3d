import type { ConfigurationKey } from '@fpay/ocpp/v16/get-configuration';

interface Key {
  value: string;
  isReadonly?: true;
  /** The key can be written but is never returned. */
  isSecret?: true;
  accepts?: (value: string) => boolean;
}

const isWholeNumber = (value: string) => /^\d{1,9}$/.test(value);
const isBoolean = (value: string) => /^(?:true|false)$/i.test(value);

const supportedMeasurands: readonly string[] = [
  'Energy.Active.Import.Register',
  'Power.Active.Import',
  'Current.Import',
  'Voltage',
  'SoC',
];

/** As in the standard, one unknown measurand makes the whole list invalid. */
const isMeasurandList = (value: string) =>
  value === '' || value.split(',').every((measurand) => supportedMeasurands.includes(measurand.trim()));

function factorySettings(connectors: number, hasProfiles: boolean): Record<string, Key> {
  const flag = (value: boolean): Key => ({ value: String(value), accepts: isBoolean });
  const number = (value: number): Key => ({ value: String(value), accepts: isWholeNumber });
  const fixed = (value: string | number): Key => ({ value: String(value), isReadonly: true });
  return {
    AuthorizationKey: { value: '', isSecret: true, accepts: (value) => value.length >= 8 && value.length <= 40 },
    AuthorizeRemoteTxRequests: flag(false),
    AuthorizationCacheEnabled: flag(false),
    AllowOfflineTxForUnknownId: flag(false),
    LocalAuthorizeOffline: flag(false),
    LocalPreAuthorize: flag(false),
    ConnectionTimeOut: number(60),
    ClockAlignedDataInterval: number(0),
    GetConfigurationMaxKeys: fixed(50),
    HeartbeatInterval: number(300),
    MaxEnergyOnInvalidId: number(0),
    MeterValueSampleInterval: number(60),
    MeterValuesSampledData: {
      value: 'Energy.Active.Import.Register,Power.Active.Import,SoC',
      accepts: isMeasurandList,
    },
    MeterValuesSampledDataMaxLength: fixed(supportedMeasurands.length),
    MinimumStatusDuration: number(0),
    NumberOfConnectors: fixed(connectors),
    ResetRetries: number(1),
    StopTransactionOnEVSideDisconnect: flag(true),
    StopTransactionOnInvalidId: flag(true),
    StopTxnAlignedData: { value: '', accepts: isMeasurandList },
    StopTxnSampledData: { value: '', accepts: isMeasurandList },
    SupportedFeatureProfiles: fixed(`Core,FirmwareManagement,RemoteTrigger${hasProfiles ? ',SmartCharging' : ''}`),
    TransactionMessageAttempts: number(3),
    TransactionMessageRetryInterval: number(60),
    UnlockConnectorOnEVSideDisconnect: flag(true),
    WebSocketPingInterval: number(0),
  };
}

/** The configuration keys of one charge point, all as text. They survive a reboot. */
export class Configuration {
  readonly #keys: Map<string, Key>;

  constructor(connectors: number, overrides: Readonly<Record<string, string>> = {}, hasProfiles = true) {
    this.#keys = new Map(Object.entries(factorySettings(connectors, hasProfiles)));
    for (const [name, value] of Object.entries(overrides)) this.change(name, value);
  }

  change(name: string, value: string): 'Accepted' | 'Rejected' | 'NotSupported' {
    const key = this.#keys.get(name);
    if (key === undefined) return 'NotSupported';
    if (key.isReadonly === true || key.accepts?.(value) === false) return 'Rejected';
    key.value = value;
    return 'Accepted';
  }

  read(names: readonly string[] | undefined): { configurationKey: ConfigurationKey[]; unknownKey: string[] } {
    const wanted = names === undefined || names.length === 0 ? [...this.#keys.keys()] : names;
    const configurationKey: ConfigurationKey[] = [];
    const unknownKey: string[] = [];
    for (const name of wanted) {
      const key = this.#keys.get(name);
      if (key === undefined) unknownKey.push(name);
      else {
        const { value, isReadonly = false, isSecret = false } = key;
        configurationKey.push({ key: name, readonly: isReadonly, ...(isSecret ? {} : { value }) });
      }
    }
    return { configurationKey, unknownKey };
  }

  number(name: string): number {
    return Number(this.#value(name));
  }

  /** The value of a key that is in seconds. */
  ms(name: string): number {
    return this.number(name) * 1000;
  }

  flag(name: string): boolean {
    return this.#value(name).toLowerCase() === 'true';
  }

  list(name: string): string[] {
    return this.#value(name)
      .split(',')
      .map((item) => item.trim())
      .filter((item) => item !== '');
  }

  #value(name: string): string {
    const key = this.#keys.get(name);
    if (key === undefined) throw new Error(`unknown configuration key ${name}`);
    return key.value;
  }
}
