import { type ConnectorType, connectorTypes } from '@fpay/contract/connectors';
import { kopecks } from '@fpay/contract/money';
import Plus from 'lucide-react/icons/plus';
import Trash2 from 'lucide-react/icons/trash-2';
import { useId } from 'react';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { IconButton } from '../../../ui/form/icon-button.tsx';
import { Switch } from '../../../ui/form/switch.tsx';
import { formatMoney } from '../../../ui/format/money.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { ConnectorIcon } from '../../../ui/picture/connector-icon.tsx';
import { ChoiceField } from '../parts/choice-field.tsx';
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
        <h2 className="text-card">{text('networkBuild:connectors')}</h2>
        {!isLocked && (
          <Button
            size="s"
            icon={<Plus aria-hidden="true" size={18} />}
            onPress={() => onChange([...connectors, newConnector(connectors.at(-1))])}
          >
            {text('networkBuild:addConnector')}
          </Button>
        )}
      </div>
      {isVirtual && <p className="text-note text-ink-2">{text('networkBuild:virtualHint')}</p>}
      {connectors.length === 0 && <p className="text-note text-ink-2">{text('networkBuild:noConnectors')}</p>}
      <datalist id={devices}>
        {chargePoints.map((identity) => (
          <option key={identity} value={identity} />
        ))}
      </datalist>
      <ul className="flex flex-col gap-3">
        {connectors.map((connector, index) => {
          const error = (field: string) => errorOf(`${list}.${index}.${field}`);
          return (
            <li key={connector.key}>
              <fieldset disabled={isLocked} className="rounded-control border border-line p-3">
                <legend className="sr-only">{text('networkBuild:connectorNumber', { number: index + 1 })}</legend>
                <div className="mb-2 flex items-center gap-2">
                  {!isVirtual && <ConnectorIcon type={connector.type} withCable={connector.has_cable} size={32} />}
                  <span className="flex-1 text-label font-bold">
                    {isVirtual ? connector.charge_point : connectorTypes[connector.type].name} № {connector.connector}
                  </span>
                  {!isLocked && (
                    <IconButton
                      label={text('networkBuild:removeConnector', { number: index + 1 })}
                      icon={<Trash2 aria-hidden="true" size={20} />}
                      onPress={() => onChange(connectors.filter(({ key }) => key !== connector.key))}
                    />
                  )}
                </div>
                <div className="grid grid-cols-2 gap-3 xl:grid-cols-6 xl:items-end">
                  <div className="col-span-2 sm:col-span-1 xl:col-span-2">
                    <Field
                      label={text('networkBuild:device')}
                      list={devices}
                      autoComplete="off"
                      value={connector.charge_point}
                      error={error('charge_point')}
                      onChange={({ target }) => change(connector.key, { charge_point: target.value })}
                    />
                  </div>
                  <Field
                    label={text('networkBuild:numberOnDevice')}
                    inputMode="numeric"
                    value={connector.connector}
                    error={error('connector')}
                    onChange={({ target }) => change(connector.key, { connector: target.value })}
                  />
                  {!isVirtual && (
                    <>
                      <div className="max-[359px]:col-span-2 xl:col-span-2">
                        <ChoiceField
                          label={text('networkBuild:type')}
                          options={types}
                          value={connector.type}
                          onChange={(type) => change(connector.key, { type })}
                        />
                      </div>
                      <Field
                        label={text('networkBuild:power')}
                        inputMode="decimal"
                        value={connector.power}
                        error={error('power')}
                        onChange={({ target }) => change(connector.key, { power: target.value })}
                      />
                      <div className="col-span-2 sm:col-span-1 xl:col-span-3">
                        <ChoiceField
                          label={text('networkBuild:tariff')}
                          options={[
                            { value: '', label: text('networkBuild:fixedPrice') },
                            ...named.map(({ name, price }) => ({
                              value: name,
                              label: `${name} · ${formatMoney(kopecks(price))}`,
                            })),
                          ]}
                          value={connector.tariff}
                          onChange={(tariff) => change(connector.key, { tariff })}
                        />
                      </div>
                      {connector.tariff === '' && (
                        <Field
                          label={text('networkBuild:price')}
                          inputMode="decimal"
                          value={connector.price}
                          error={error('price')}
                          onChange={({ target }) => change(connector.key, { price: target.value })}
                        />
                      )}
                      <div className="col-span-2 self-end xl:col-span-2">
                        <Switch
                          label={text('networkBuild:hasCable')}
                          checked={connector.has_cable}
                          disabled={isLocked}
                          onChange={(has_cable) => change(connector.key, { has_cable })}
                        />
                      </div>
                    </>
                  )}
                </div>
              </fieldset>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}
