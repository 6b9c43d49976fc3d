import {
  exportStationsCsv,
  exportStationsJson,
  importStations,
  mostFileText,
  type NetworkFileText,
  previewImport,
} from '@fpay/contract/admin/network/exchange';
import type { ReplyOf } from '@fpay/contract/endpoint';
import { useQueryClient } from '@tanstack/react-query';
import CircleAlert from 'lucide-react/icons/circle-alert';
import Download from 'lucide-react/icons/download';
import FileUp from 'lucide-react/icons/file-up';
import { useId, useState } from 'react';
import { addressOf } from '../../../../api/address.ts';
import { call } from '../../../../api/call.ts';
import { useAction } from '../../../../data/action.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Badge } from '../../../../ui/layout/badge.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { notify } from '../../../../ui/overlay/popups.ts';
import { useMay } from '../../parts/use-may.ts';
import { StaffPage } from '../../shell/staff-page.tsx';

type Preview = ReplyOf<typeof previewImport>;
const actions = {
  add: { tone: 'free', text: 'networkStations:isAdded' },
  change: { tone: 'charging', text: 'networkStations:isChanged' },
  same: { tone: 'offline', text: 'networkStations:isSame' },
} as const;

/** Files of stations: what a file will change is shown before anything is written. */
export function Page() {
  const text = useText();
  const mayManage = useMay('manage-network');
  return (
    <StaffPage title={text('networkStations:exchange')} back="/admin/network/stations">
      <ExportCard />
      {mayManage && <ImportCard />}
    </StaffPage>
  );
}

function ExportCard() {
  const text = useText();
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-card">{text('networkStations:export')}</h2>
      <p className="text-note text-ink-2">{text('networkStations:exportHint')}</p>
      <div className="flex flex-wrap gap-2">
        <Button href={addressOf(exportStationsCsv, {}).url} icon={<Download aria-hidden="true" size={20} />}>
          CSV
        </Button>
        <Button href={addressOf(exportStationsJson, {}).url} icon={<Download aria-hidden="true" size={20} />}>
          JSON
        </Button>
      </div>
    </Card>
  );
}

/** The file is tried first; only a file without problems can be written. */
function ImportCard() {
  const text = useText();
  const cache = useQueryClient();
  const [file, setFile] = useState<(NetworkFileText & { name: string }) | null>(null);
  const [preview, setPreview] = useState<Preview | null>(null);
  const previewing = useAction((chosen: NetworkFileText) => call(previewImport, { body: chosen }), {
    onSuccess: setPreview,
  });
  const writing = useAction((chosen: NetworkFileText) => call(importStations, { body: chosen }), {
    onSuccess: ({ written, problems }) => {
      void cache.invalidateQueries({ queryKey: ['backoffice', 'network'] });
      if (problems.length > 0) return setPreview({ problems, changes: [] });
      setFile(null);
      setPreview(null);
      void notify(text('networkStations:imported', { count: written }));
    },
  });
  async function choose(chosen: File | undefined) {
    setPreview(null);
    setFile(null);
    if (!chosen) return;
    const content = await chosen.text();
    if (content.length > mostFileText || content === '') return void notify(text('networkStations:fileTooLarge'));
    const format = chosen.name.toLowerCase().endsWith('.json') ? 'json' : 'csv';
    setFile({ name: chosen.name, format, content });
    previewing.mutate({ format, content });
  }
  const isGood = preview !== null && preview.problems.length === 0;
  const hasChanges = preview?.changes.some(({ action }) => action !== 'same') ?? false;
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-card">{text('networkStations:import')}</h2>
      <FileChoice name={file?.name ?? null} onFile={(chosen) => void choose(chosen)} />
      <p className="text-note text-ink-2">{text('networkStations:importHint')}</p>
      {preview && <PreviewList preview={preview} />}
      {file && isGood && (
        <Button
          kind="main"
          className="self-start"
          disabled={!hasChanges}
          disabledLabel={text('networkStations:nothingToDo')}
          busy={writing.isPending}
          onPress={() => writing.mutate({ format: file.format, content: file.content })}
        >
          {text('networkStations:writeAll')}
        </Button>
      )}
    </Card>
  );
}

interface FileChoiceProps {
  /** Null until a file is chosen. */
  name: string | null;
  onFile: (file: File | undefined) => void;
}

function FileChoice({ name, onFile }: FileChoiceProps) {
  const text = useText();
  const id = useId();
  // The browser would name its own button in its own language.
  return (
    <label
      htmlFor={id}
      className="relative flex min-h-14 cursor-pointer items-center gap-3 rounded-control border-[1.5px] border-dashed border-line-strong px-4 text-note font-bold focus-within:outline-3 focus-within:outline-focus"
    >
      <FileUp aria-hidden="true" size={20} className="shrink-0" />
      <span className="min-w-0 break-words">{name ?? text('networkStations:file')}</span>
      <input
        id={id}
        type="file"
        accept=".csv,.json"
        aria-label={text('networkStations:file')}
        className="sr-only"
        onChange={({ target }) => onFile(target.files?.[0])}
      />
    </label>
  );
}

function PreviewList({ preview }: { preview: Preview }) {
  const text = useText();
  const { problems, changes } = preview;
  if (problems.length > 0)
    return (
      <div role="alert" className="flex flex-col gap-2 rounded-control bg-error-tint p-4 text-error">
        <h3 className="flex items-center gap-2 text-label font-bold">
          <CircleAlert aria-hidden="true" size={20} />
          {text('networkStations:problemCount', { count: problems.length })}
        </h3>
        <ul className="flex flex-col gap-1 text-note">
          {problems.map(({ line, reason }) => (
            <li key={`${line}/${reason}`} className="break-words">
              <strong>{text('network:line', { line })}</strong> <span lang="en">{reason}</span>
            </li>
          ))}
        </ul>
      </div>
    );
  return (
    <ul aria-label={text('networkStations:willChange')} className="rounded-control border border-line">
      {changes.map(({ kind, name, action, details }) => (
        <li
          key={`${kind}/${name}`}
          className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b border-line p-3 text-note last:border-0"
        >
          <strong>{name}</strong>
          <Badge tone={actions[action].tone}>{text(actions[action].text)}</Badge>
          {details.map((detail) => (
            <span key={detail} lang="en" className="w-full break-words text-small text-ink-2">
              {detail}
            </span>
          ))}
        </li>
      ))}
    </ul>
  );
}
