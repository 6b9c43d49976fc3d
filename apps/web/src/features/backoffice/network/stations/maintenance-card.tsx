import { endMaintenance, type NetworkStation, planMaintenance } from '@fpay/contract/admin/network/stations';
import { connectorTypes } from '@fpay/contract/connectors';
import Wrench from 'lucide-react/icons/wrench';
import { useState } from 'react';
import { call } from '../../../../api/call.ts';
import { useAction } from '../../../../data/action.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Field } from '../../../../ui/form/field.tsx';
import { DateTime } from '../../../../ui/format/date-time.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { confirm } from '../../../../ui/overlay/popups.ts';
import { ChoiceField } from '../../parts/choice-field.tsx';
import { instantOfKyiv, isUnreadable } from '../../parts/kyiv-time.ts';
import { MomentField } from '../../parts/moment-field.tsx';
import { contractRules, type FormRules, useForm } from '../../parts/use-form.ts';

interface TypedPlan {
  /** Empty for the whole station. */
  connector: string;
  reason: string;
  /** Kyiv time. */
  starts: string;
  ends: string;
}

const planRequest = ({ connector, reason, starts, ends }: TypedPlan) => ({
  connector_id: connector === '' ? null : Number(connector),
  reason,
  starts_at: instantOfKyiv(starts),
  ends_at: instantOfKyiv(ends),
});
const contract = contractRules(planMaintenance.body, planRequest, {
  reason: { path: 'reason', text: 'networkStations:wrongReason' },
  ends: { path: 'ends_at', text: 'networkStations:wrongEnd' },
});
const planRules: FormRules<TypedPlan> = {
  ...contract,
  // A time that cannot be read says so itself; without it the work would begin now, or have no end.
  check: (typed) => ({
    ...contract.check(typed),
    ...([typed.starts, typed.ends].some(isUnreadable) && { time: 'networkStations:wrongEnd' as const }),
  }),
};

interface MaintenanceCardProps {
  station: NetworkStation;
  mayManage: boolean;
  onDone: () => void;
}

/** Work that goes on or is planned, with the text that drivers read. */
export function MaintenanceCard({ station, mayManage, onDone }: MaintenanceCardProps) {
  const text = useText();
  const [isOpen, setOpen] = useState(false);
  const nameOf = (id: number | null) => {
    const connector = station.connector_list.find((one) => one.id === id);
    return connector
      ? `${connectorTypes[connector.type].name} № ${connector.connector}`
      : text('networkStations:wholeStation');
  };
  const ending = useAction((id: number) => call(endMaintenance, { params: { id: String(id) } }), { onSuccess: onDone });
  async function end(id: number) {
    const question = { title: text('networkStations:endWork'), effect: text('networkStations:endWorkEffect') };
    if (await confirm(question)) ending.mutate(id);
  }
  return (
    <Card className="flex flex-col gap-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <h2 className="text-card">{text('networkStations:maintenance')}</h2>
        {mayManage && !isOpen && (
          <Button size="s" onPress={() => setOpen(true)}>
            {text('network:plan')}
          </Button>
        )}
      </div>
      {station.maintenance.length === 0 && !isOpen && (
        <p className="text-note text-ink-2">{text('networkStations:noWork')}</p>
      )}
      <ul className="flex flex-col gap-2">
        {station.maintenance.map((work) => (
          <WorkRow
            key={work.id}
            work={work}
            place={nameOf(work.connector_id)}
            onEnd={mayManage ? () => void end(work.id) : null}
          />
        ))}
      </ul>
      {isOpen && (
        <PlanForm
          station={station}
          nameOf={nameOf}
          onClose={() => setOpen(false)}
          onDone={() => {
            setOpen(false);
            onDone();
          }}
        />
      )}
    </Card>
  );
}

interface WorkRowProps {
  work: NetworkStation['maintenance'][number];
  place: string;
  /** Null without the permission. */
  onEnd: (() => void) | null;
}

function WorkRow({ work, place, onEnd }: WorkRowProps) {
  const text = useText();
  return (
    <li className="flex gap-3 rounded-control bg-surface-2 p-3 text-note">
      <Wrench aria-hidden="true" size={18} className="mt-0.5 shrink-0 text-occupied" />
      <div className="min-w-0 flex-1">
        <p className="font-bold">{place}</p>
        <p className="break-words">{work.reason}</p>
        <p className="text-small text-ink-2">
          {work.is_active ? text('networkStations:goesOn') : <DateTime instant={work.starts_at} />}
          {' – '}
          {work.ends_at ? <DateTime instant={work.ends_at} /> : text('networkStations:untilEnded')}
        </p>
      </div>
      {onEnd && (
        <Button size="s" kind="secondary" onPress={onEnd}>
          {text('network:end')}
        </Button>
      )}
    </li>
  );
}

interface PlanFormProps {
  station: NetworkStation;
  nameOf: (connector: number | null) => string;
  onClose: () => void;
  onDone: () => void;
}

function PlanForm({ station, nameOf, onClose, onDone }: PlanFormProps) {
  const text = useText();
  const form = useForm({
    start: { connector: '', reason: '', starts: '', ends: '' },
    rules: planRules,
    send: (typed) => call(planMaintenance, { params: { number: station.number }, body: planRequest(typed) }),
    onSuccess: onDone,
  });
  const { typed, change } = form;
  return (
    <form {...form.props} className="flex flex-col gap-3">
      <ChoiceField
        label={text('networkStations:where')}
        value={typed.connector}
        onChange={(connector) => change({ connector })}
        options={[
          { value: '', label: text('networkStations:wholeStation') },
          ...(station.is_virtual ? [] : station.connector_list).map(({ id }) => ({
            value: String(id),
            label: nameOf(id),
          })),
        ]}
      />
      <Field label={text('networkStations:reason')} {...form.field('reason')} />
      <div className="grid gap-3 sm:grid-cols-2 lg:grid-cols-1">
        <MomentField
          label={text('network:from')}
          hint={text('networkStations:emptyIsNow')}
          value={typed.starts}
          onChange={(starts) => change({ starts })}
        />
        <MomentField
          label={text('network:to')}
          hint={text('networkStations:emptyIsOpen')}
          error={form.errorOf('ends')}
          value={typed.ends}
          onChange={(ends) => change({ ends })}
        />
      </div>
      <p className="rounded-control bg-surface-2 p-3 text-note">{text('networkStations:workEffect')}</p>
      <div className="flex flex-wrap gap-2">
        <Button size="m" onPress={onClose}>
          {text('networkStations:cancel')}
        </Button>
        <Button type="submit" size="m" kind="main" className="flex-1" busy={form.isBusy}>
          {text('network:plan')}
        </Button>
      </div>
    </form>
  );
}
