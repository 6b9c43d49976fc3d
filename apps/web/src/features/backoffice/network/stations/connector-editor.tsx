import { type ConnectorType, connectorTypes } from '@fpay/contract/connectors';
import { kopecks } from '@fpay/contract/money';
import Plus from 'lucide-react/icons/plus';
import Trash2 from 'lucide-react/icons/trash-2';
import { useId } from 'react';
import { useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Field } from '../../../../ui/form/field.tsx';
import { IconButton } from '../../../../ui/form/icon-button.tsx';
import { Switch } from '../../../../ui/form/switch.tsx';
import { formatMoney } from '../../../../ui/format/money.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { ConnectorIcon } from '../../../../ui/picture/connector-icon.tsx';
import { ChoiceField } from '../../parts/choice-field.tsx';
import { newConnector, type StationErrorOf, type TypedConnector } from './form.ts';

interface ConnectorEditorProps {
  connectors: readonly TypedConnector[];
  isVirtual: boolean;
  isLocked: boolean;
  errorOf: StationErrorOf;
  chargePoints: readonly string[];
  tariffs: readonly { name: string; price: number; is_fixed: boolean }[];
  onChange: (connectors: TypedConnector[]) => void;
}

const types = Object.entries(connectorTypes).map(([value, { name, current }]) => ({
  value: value as ConnectorType,
  label: `${name} · ${current}`,
}));

/** The connectors of a station; of a virtual one only which connectors of other stations it lists. */
export function ConnectorEditor(props: ConnectorEditorProps) {
  const { connectors, isVirtual, isLocked, errorOf, chargePoints, tariffs, onChange } = props;
  const text = useText();
  const devices = useId();
  const change = (key: number, values: Partial<TypedConnector>) =>
    onChange(connectors.map((connector) => (connector.key === key ? { ...connector, ...values } : connector)));
  const list = isVirtual ? 'listed' : 'connectors';
  const named = tariffs.filter(({ is_fixed }) => !is_fixed);
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex items-center justify-between gap-2">
        <h2 className="text-card">{text('networkStations:connectors')}</h2>
        {!isLocked && (
          <Button
            size="s"
            icon={<Plus aria-hidden="true" size={18} />}
            onPress={() => onChange([...connectors, newConnector(connectors.at(-1))])}
          >
            {text('networkStations:addConnector')}
          </Button>
        )}
      </div>
      {isVirtual && <p className="text-note text-ink-2">{text('networkStations:virtualHint')}</p>}
      {connectors.length === 0 && <p className="text-note text-ink-2">{text('networkStations:noConnectors')}</p>}
      <datalist id={devices}>
        {chargePoints.map((identity) => (
          <option key={identity} value={identity} />
        ))}
      </datalist>
      <ul className="flex flex-col gap-3">
        {connectors.map((connector, index) => (
          <li key={connector.key}>
            <ConnectorFields
              connector={connector}
              number={index + 1}
              isVirtual={isVirtual}
              isLocked={isLocked}
              errorOf={(field) => errorOf(`${list}.${index}.${field}`)}
              devices={devices}
              tariffs={named}
              onChange={(values) => change(connector.key, values)}
              onRemove={() => onChange(connectors.filter(({ key }) => key !== connector.key))}
            />
          </li>
        ))}
      </ul>
    </Card>
  );
}

interface ConnectorFieldsProps extends Pick<ConnectorEditorProps, 'isVirtual' | 'isLocked' | 'tariffs' | 'errorOf'> {
  connector: TypedConnector;
  number: number;
  /** The id of the list of charge points. */
  devices: string;
  onChange: (values: Partial<TypedConnector>) => void;
  onRemove: () => void;
}

function ConnectorFields(props: ConnectorFieldsProps) {
  const { connector, number, isVirtual, isLocked, errorOf, devices, onChange: change, onRemove } = props;
  const text = useText();
  return (
    <fieldset disabled={isLocked} className="rounded-control border border-line p-3">
      <legend className="sr-only">{text('networkStations:connectorNumber', { number })}</legend>
      <div className="mb-2 flex items-center gap-2">
        {!isVirtual && <ConnectorIcon type={connector.type} withCable={connector.has_cable} size={32} />}
        <span className="flex-1 text-label font-bold">
          {isVirtual ? connector.charge_point : connectorTypes[connector.type].name} № {connector.connector}
        </span>
        {!isLocked && (
          <IconButton
            label={text('networkStations:removeConnector', { number })}
            icon={<Trash2 aria-hidden="true" size={20} />}
            onPress={onRemove}
          />
        )}
      </div>
      <div className="grid grid-cols-2 gap-3 xl:grid-cols-6 xl:items-end">
        <div className="col-span-2 sm:col-span-1 xl:col-span-2">
          <Field
            label={text('networkStations:device')}
            list={devices}
            autoComplete="off"
            value={connector.charge_point}
            error={errorOf('charge_point')}
            onChange={({ target }) => change({ charge_point: target.value })}
          />
        </div>
        <Field
          label={text('networkStations:numberOnDevice')}
          inputMode="numeric"
          value={connector.connector}
          error={errorOf('connector')}
          onChange={({ target }) => change({ connector: target.value })}
        />
        {!isVirtual && <ConnectorTerms {...props} />}
      </div>
    </fieldset>
  );
}

/** What only a connector of this station has: type, power, price. */
function ConnectorTerms({ connector, isLocked, errorOf, tariffs, onChange: change }: ConnectorFieldsProps) {
  const text = useText();
  return (
    <>
      <div className="max-[359px]:col-span-2 xl:col-span-2">
        <ChoiceField
          label={text('networkStations:type')}
          options={types}
          value={connector.type}
          onChange={(type) => change({ type })}
        />
      </div>
      <Field
        label={text('networkStations:power')}
        inputMode="decimal"
        value={connector.power}
        error={errorOf('power')}
        onChange={({ target }) => change({ power: target.value })}
      />
      <div className="col-span-2 sm:col-span-1 xl:col-span-3">
        <ChoiceField
          label={text('network:tariff')}
          options={[
            { value: '', label: text('network:fixedPrice') },
            ...tariffs.map(({ name, price }) => ({
              value: name,
              label: `${name} · ${formatMoney(kopecks(price))}`,
            })),
          ]}
          value={connector.tariff}
          onChange={(tariff) => change({ tariff })}
        />
      </div>
      {connector.tariff === '' && (
        <Field
          label={text('network:price')}
          inputMode="decimal"
          value={connector.price}
          error={errorOf('price')}
          onChange={({ target }) => change({ price: target.value })}
        />
      )}
      <div className="col-span-2 self-end xl:col-span-2">
        <Switch
          label={text('networkStations:hasCable')}
          checked={connector.has_cable}
          disabled={isLocked}
          onChange={(has_cable) => change({ has_cable })}
        />
      </div>
    </>
  );
}
