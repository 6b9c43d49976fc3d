import type { ChargePointView } from '@fpay/contract/admin/network/charge-points';
import { triggeredMessages } from '@fpay/contract/admin/network/device-commands';
import { connectorTypes } from '@fpay/contract/connectors';
import type { TextKey } from '../../../../i18n/text-key.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { Field } from '../../../../ui/form/field.tsx';
import { Segmented } from '../../../../ui/form/segmented.tsx';
import { Select } from '../../../../ui/form/select.tsx';
import type { CommandForm } from './command-request.ts';
import type { DeviceCommandName } from './command-table.ts';

/** What a command asks for. Only the connector of an unlock cannot be the whole charge point. */
const askedBy: Partial<
  Record<DeviceCommandName, { connector?: 'one' | 'oneOrAll'; requested?: true; type?: true; location?: TextKey }>
> = {
  trigger: { connector: 'oneOrAll', requested: true },
  unlock: { connector: 'one' },
  availability: { connector: 'oneOrAll', type: true },
  diagnostics: { location: 'networkChargePoints:diagnosticsLocation' },
  firmware: { location: 'networkChargePoints:firmwareLocation' },
};

interface CommandFieldsProps {
  point: ChargePointView;
  name: DeviceCommandName;
  form: CommandForm;
  onChange: (part: Partial<CommandForm>) => void;
}

export function CommandFields({ point, name, form, onChange }: CommandFieldsProps) {
  const text = useText();
  const asked = askedBy[name] ?? {};
  const connectors = [
    ...(asked.connector === 'oneOrAll' ? [{ value: '0', label: text('networkChargePoints:wholeChargePoint') }] : []),
    ...point.connectors.map(({ number, type }) => ({
      value: String(number),
      label: `№ ${number} · ${connectorTypes[type].name}`,
    })),
  ];
  return (
    <>
      {asked.requested && (
        <Select
          label={text('networkChargePoints:requestedMessage')}
          value={form.requested}
          onChange={(requested) => onChange({ requested })}
          options={triggeredMessages.map((value) => ({ value, label: value }))}
        />
      )}
      {asked.connector && (
        <Select
          label={text('network:connector')}
          value={form.connector}
          onChange={(connector) => onChange({ connector })}
          options={connectors}
        />
      )}
      {asked.type && (
        <Segmented
          legend={text('networkChargePoints:availability')}
          value={form.type}
          onChange={(type) => onChange({ type })}
          segments={[
            { value: 'Inoperative', label: text('networkChargePoints:inoperative') },
            { value: 'Operative', label: text('networkChargePoints:operative') },
          ]}
        />
      )}
      {asked.location && (
        <Field
          label={text(asked.location)}
          hint={text('networkChargePoints:locationHint')}
          type="url"
          placeholder="ftp://"
          value={form.location}
          onChange={({ target }) => onChange({ location: target.value })}
        />
      )}
    </>
  );
}
