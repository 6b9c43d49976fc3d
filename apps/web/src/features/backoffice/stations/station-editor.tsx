import {
  addStation,
  changeStation,
  type NetworkStation,
  restoreStation,
  retireStation,
  type stationChoices,
} from '@fpay/contract/admin/network/stations';
import type { ReplyOf } from '@fpay/contract/endpoint';
import { useMutation } from '@tanstack/react-query';
import Archive from 'lucide-react/icons/archive';
import ArchiveRestore from 'lucide-react/icons/archive-restore';
import Eye from 'lucide-react/icons/eye';
import { type FormEvent, useEffect, useRef, useState } from 'react';
import { call } from '../../../api/call.ts';
import { ApiError } from '../../../api/errors.ts';
import { showError, useAction } from '../../../data/action.ts';
import { useText } from '../../../i18n/use-text.ts';
import { useBeforeUnload, useBlocker, useNavigate } from '../../../router/index.ts';
import { Button } from '../../../ui/form/button.tsx';
import { IconButton } from '../../../ui/form/icon-button.tsx';
import { DateTime } from '../../../ui/format/date-time.tsx';
import { useOnChange } from '../../../ui/hooks/use-on-change.ts';
import { Card } from '../../../ui/layout/card.tsx';
import { confirm } from '../../../ui/overlay/popups.ts';
import { useMay } from '../parts/use-may.ts';
import { StaffPage } from '../shell/staff-page.tsx';
import { CodesCard } from './codes-card.tsx';
import { ConnectorEditor } from './connector-editor.tsx';
import {
  changeRequest,
  changesOf,
  checkStation,
  type StationErrors,
  stationErrors,
  stationRequest,
  type TypedStation,
  typedStation,
} from './form.ts';
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
  const navigate = useNavigate();
  const form = useRef<HTMLFormElement>(null);
  const mayManage = useMay('manage-network');
  const isLocked = !mayManage || station?.is_retired === true;
  const [before] = useState(() => typedStation(station, choices.next_number));
  const [typed, setTyped] = useState(before);
  const [errors, setErrors] = useState<StationErrors>({});
  const [saved, setSaved] = useState<string | null>(null);
  const changes = saved !== null ? 0 : changesOf(before, typed);
  useLeaveQuestion(changes > 0);

  const change = (values: Partial<TypedStation>) => {
    setTyped((present) => ({ ...present, ...values }));
    setErrors({});
  };
  const saving = useMutation({
    mutationFn: () =>
      station
        ? call(changeStation, { params: { number: station.number }, body: changeRequest(typed) })
        : call(addStation, { body: addStation.body.parse(stationRequest(typed)) }),
    onSuccess: ({ number }) => {
      setSaved(number);
      onChanged();
    },
    onError: (error) => {
      const found = error instanceof ApiError && error.errors ? stationErrors(error.errors) : {};
      if (Object.keys(found).length > 0) setErrors(found);
      else showError(error);
    },
  });
  function save(event: FormEvent) {
    event.preventDefault();
    const found = checkStation(typed);
    setErrors(found);
    if (Object.keys(found).length === 0) saving.mutate();
  }
  // After the render in which nothing is unsaved any more; earlier, the question about unsaved changes would appear.
  useEffect(() => {
    if (saved !== null && !station) void navigate(`/admin/network/stations/${saved}`, { replace: true });
  }, [saved, station, navigate]);
  // The first wrong field gets the focus.
  useEffect(() => {
    if (Object.keys(errors).length > 0) form.current?.querySelector<HTMLElement>('[aria-invalid]')?.focus();
  }, [errors]);

  return (
    <StaffPage
      title={station?.number ?? text('networkBuild:newStation')}
      subtitle={
        station?.is_retired
          ? text('networkBuild:isRetired')
          : station?.changed_at && (
              <>
                {text('networkBuild:changed')} <DateTime instant={station.changed_at} />
              </>
            )
      }
      back="/admin/network/stations"
      badges={station && <OnlineBadge isOnline={station.is_online} />}
      actions={station && <StationActions station={station} mayManage={mayManage} onChanged={onChanged} />}
    >
      <form
        ref={form}
        noValidate
        onSubmit={save}
        className="grid grid-cols-1 items-start gap-3 lg:grid-cols-[minmax(0,1fr)_22rem]"
        onKeyDown={(event) => {
          if (event.code === 'KeyS' && (event.ctrlKey || event.metaKey)) save(event);
        }}
      >
        <div className="flex min-w-0 flex-col gap-3">
          <PlaceCard
            typed={typed}
            isNew={station === null}
            isLocked={isLocked}
            errors={errors}
            parties={choices.parties}
            onChange={change}
          />
          <ConnectorEditor
            connectors={typed.connectors}
            isVirtual={typed.is_virtual}
            isLocked={isLocked}
            errors={errors}
            chargePoints={choices.charge_points}
            tariffs={choices.tariffs}
            onChange={(connectors) => change({ connectors })}
          />
        </div>
        {!isLocked && (
          <div className="lg:sticky lg:top-20">
            <Card className="flex flex-col gap-3">
              <SaveButtons
                changes={changes}
                isNew={!station}
                isBusy={saving.isPending}
                onReset={() => change(before)}
              />
            </Card>
          </div>
        )}
      </form>
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
        {isNew ? text('networkBuild:newHint') : text('networkBuild:unsaved', { count: changes })}
      </p>
      <div className="flex flex-wrap gap-2">
        <Button size="m" disabled={changes === 0} onPress={onReset}>
          {text('networkBuild:undo')}
        </Button>
        <Button type="submit" size="m" kind="main" className="flex-1" disabled={!isNew && changes === 0} busy={isBusy}>
          {text('networkBuild:save')}
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
      title: text('networkBuild:retireTitle', { number }),
      effect: text('networkBuild:retireEffect'),
      confirmLabel: text('networkBuild:retire'),
      kind: 'danger',
    } as const;
    if (await confirm(question)) changing.mutate();
  }
  return (
    <>
      {!station.is_retired && (
        <IconButton
          label={text('networkBuild:asDriver')}
          icon={<Eye aria-hidden="true" size={20} />}
          href={`/station/${station.is_virtual ? 'v/' : ''}${number}`}
        />
      )}
      {mayManage &&
        (station.is_retired ? (
          <IconButton
            label={text('networkBuild:restore')}
            icon={<ArchiveRestore aria-hidden="true" size={20} />}
            onPress={() => changing.mutate()}
          />
        ) : (
          <IconButton
            label={text('networkBuild:retire')}
            icon={<Archive aria-hidden="true" size={20} />}
            onPress={() => void retire()}
          />
        ))}
    </>
  );
}

/** Asks before typed changes are lost. */
function useLeaveQuestion(hasChanges: boolean): void {
  const text = useText();
  const blocker = useBlocker(hasChanges);
  useBeforeUnload((event) => {
    if (hasChanges) event.preventDefault();
  });
  // Asked once for each attempt to leave.
  useOnChange([blocker.state], () => {
    if (blocker.state !== 'blocked') return;
    const question = { title: text('networkBuild:leaveTitle'), effect: text('networkBuild:leaveEffect') };
    void confirm(question).then((isSure) => (isSure ? blocker.proceed?.() : blocker.reset?.()));
  });
}
