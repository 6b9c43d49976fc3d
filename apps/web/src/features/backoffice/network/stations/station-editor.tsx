import {
  addStation,
  changeStation,
  type NetworkStation,
  restoreStation,
  retireStation,
  type stationChoices,
} from '@fpay/contract/admin/network/stations';
import type { ReplyOf } from '@fpay/contract/endpoint';
import Archive from 'lucide-react/icons/archive';
import ArchiveRestore from 'lucide-react/icons/archive-restore';
import Eye from 'lucide-react/icons/eye';
import { useState } from 'react';
import { call } from '../../../../api/call.ts';
import { useAction } from '../../../../data/action.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { useNavigate } from '../../../../router/index.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { IconButton } from '../../../../ui/form/icon-button.tsx';
import { DateTime } from '../../../../ui/format/date-time.tsx';
import { useWhen } from '../../../../ui/hooks/use-when.ts';
import { Card } from '../../../../ui/layout/card.tsx';
import { confirm } from '../../../../ui/overlay/popups.ts';
import { useForm } from '../../parts/use-form.ts';
import { useLeaveQuestion } from '../../parts/use-leave-question.ts';
import { useMay } from '../../parts/use-may.ts';
import { StaffPage } from '../../shell/staff-page.tsx';
import { CodesCard } from './codes-card.tsx';
import { ConnectorEditor } from './connector-editor.tsx';
import { changeRequest, changesOf, checkStation, stationErrors, stationRequest, typedStation } from './form.ts';
import { MaintenanceCard } from './maintenance-card.tsx';
import { PhotosCard } from './photos-card.tsx';
import { PlaceCard } from './place-card.tsx';
import { OnlineBadge } from './stations-page.tsx';

interface StationEditorProps {
  /** Null for a new one. */
  station: NetworkStation | null;
  choices: ReplyOf<typeof stationChoices>;
  onChanged: () => void;
}

export function StationEditor({ station, choices, onChanged }: StationEditorProps) {
  const text = useText();
  const mayManage = useMay('manage-network');
  return (
    <StaffPage
      title={station?.number ?? text('networkStations:newStation')}
      subtitle={
        station?.is_retired
          ? text('networkStations:isRetired')
          : station?.changed_at && (
              <>
                {text('networkStations:changed')} <DateTime instant={station.changed_at} />
              </>
            )
      }
      back="/admin/network/stations"
      badges={station && <OnlineBadge isOnline={station.is_online} />}
      actions={station && <StationActions station={station} mayManage={mayManage} onChanged={onChanged} />}
    >
      <StationFields
        station={station}
        choices={choices}
        isLocked={!mayManage || station?.is_retired === true}
        onChanged={onChanged}
      />
      {station && (
        <div className="grid grid-cols-1 items-start gap-3 lg:grid-cols-2">
          <MaintenanceCard station={station} mayManage={mayManage && !station.is_retired} onDone={onChanged} />
          <CodesCard station={station} mayManage={mayManage} onDone={onChanged} />
          <div className="lg:col-span-2">
            <PhotosCard station={station} mayManage={mayManage && !station.is_retired} onDone={onChanged} />
          </div>
        </div>
      )}
    </StaffPage>
  );
}

function StationFields({ station, choices, isLocked, onChanged }: StationEditorProps & { isLocked: boolean }) {
  const navigate = useNavigate();
  const [saved, setSaved] = useState<string | null>(null);
  const form = useForm({
    start: () => typedStation(station, choices.next_number),
    rules: { check: checkStation, refused: stationErrors },
    send: (typed) =>
      station
        ? call(changeStation, { params: { number: station.number }, body: changeRequest(typed) })
        : call(addStation, { body: addStation.body.parse(stationRequest(typed)) }),
    onSuccess: ({ number }) => {
      setSaved(number);
      onChanged();
    },
  });
  const { typed, change } = form;
  const changes = saved !== null ? 0 : changesOf(form.before, typed);
  useLeaveQuestion(changes > 0);
  // After the render in which nothing is unsaved any more; earlier, the question about unsaved changes would appear.
  useWhen(!station && saved, (number) => void navigate(`/admin/network/stations/${number}`, { replace: true }));
  const shown = { isLocked, errorOf: form.errorOf };
  return (
    <form
      {...form.props}
      className="grid grid-cols-1 items-start gap-3 lg:grid-cols-[minmax(0,1fr)_22rem]"
      onKeyDown={(event) => {
        if (event.code === 'KeyS' && (event.ctrlKey || event.metaKey)) form.save(event);
      }}
    >
      <div className="flex min-w-0 flex-col gap-3">
        <PlaceCard typed={typed} isNew={station === null} parties={choices.parties} onChange={change} {...shown} />
        <ConnectorEditor
          connectors={typed.connectors}
          isVirtual={typed.is_virtual}
          chargePoints={choices.charge_points}
          tariffs={choices.tariffs}
          onChange={(connectors) => change({ connectors })}
          {...shown}
        />
      </div>
      {!isLocked && (
        <div className="lg:sticky lg:top-20">
          <Card className="flex flex-col gap-3">
            <SaveButtons changes={changes} isNew={!station} isBusy={form.isBusy} onReset={() => change(form.before)} />
          </Card>
        </div>
      )}
    </form>
  );
}

interface SaveButtonsProps {
  changes: number;
  isNew: boolean;
  isBusy: boolean;
  onReset: () => void;
}

function SaveButtons({ changes, isNew, isBusy, onReset }: SaveButtonsProps) {
  const text = useText();
  return (
    <>
      <p role="status" className="text-note font-bold">
        {isNew ? text('networkStations:newHint') : text('networkStations:unsaved', { count: changes })}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="m" disabled={changes === 0} onPress={onReset}>
          {text('networkStations:undo')}
        </Button>
        <Button type="submit" size="m" kind="main" className="flex-1" disabled={!isNew && changes === 0} busy={isBusy}>
          {text('network:save')}
        </Button>
      </div>
    </>
  );
}

interface StationActionsProps {
  station: NetworkStation;
  mayManage: boolean;
  onChanged: () => void;
}

function StationActions({ station, mayManage, onChanged }: StationActionsProps) {
  const text = useText();
  const { number } = station;
  const changing = useAction(() => call(station.is_retired ? restoreStation : retireStation, { params: { number } }), {
    onSuccess: onChanged,
  });
  async function retire() {
    const question = {
      title: text('networkStations:retireTitle', { number }),
      effect: text('networkStations:retireEffect'),
      confirmLabel: text('networkStations:retire'),
      kind: 'danger',
    } as const;
    if (await confirm(question)) changing.mutate();
  }
  return (
    <>
      {!station.is_retired && (
        <IconButton
          label={text('networkStations:asDriver')}
          icon={<Eye aria-hidden="true" size={20} />}
          href={`/station/${station.is_virtual ? 'v/' : ''}${number}`}
        />
      )}
      {mayManage &&
        (station.is_retired ? (
          <IconButton
            label={text('networkStations:restore')}
            icon={<ArchiveRestore aria-hidden="true" size={20} />}
            onPress={() => changing.mutate()}
          />
        ) : (
          <IconButton
            label={text('networkStations:retire')}
            icon={<Archive aria-hidden="true" size={20} />}
            onPress={() => void retire()}
          />
        ))}
    </>
  );
}
