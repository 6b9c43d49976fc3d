import { pointCode } from '@fpay/contract/admin/network/codes';
import type { NetworkStation } from '@fpay/contract/admin/network/stations';
import Printer from 'lucide-react/icons/printer';
import QrCode from 'lucide-react/icons/qr-code';
import { useState } from 'react';
import { call } from '../../../../api/call.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Field } from '../../../../ui/form/field.tsx';
import { Card } from '../../../../ui/layout/card.tsx';
import { PopupFrame } from '../../../../ui/overlay/popup-frame.tsx';
import { contractRules, useForm } from '../../parts/use-form.ts';
import { PrintPopup } from './print-popup.tsx';

interface CodesCardProps {
  station: NetworkStation;
  mayManage: boolean;
  onDone: () => void;
}

/** The printed codes that lead to this station. */
export function CodesCard({ station, mayManage, onDone }: CodesCardProps) {
  const text = useText();
  const [isPrinting, setPrinting] = useState(false);
  const [moved, setMoved] = useState<string | null>(null);
  return (
    <Card className="flex flex-col gap-3">
      <h2 className="text-card">{text('networkStations:codes')}</h2>
      {station.links.length === 0 && <p className="text-note text-ink-2">{text('networkStations:noCodes')}</p>}
      <ul className="flex flex-col gap-2">
        {station.links.map((code) => (
          <li key={code} className="flex items-center gap-3">
            <QrCode aria-hidden="true" size={28} className="shrink-0 text-ink-2" />
            <span className="min-w-0 flex-1">
              <a href={`/qr/${code}`} className="block truncate text-label font-bold text-accent-text">
                /qr/{code}
              </a>
              <span className="block text-small text-ink-2">
                {text('networkStations:leadsTo', { number: station.number })}
              </span>
            </span>
            {mayManage && (
              <Button size="s" onPress={() => setMoved(code)}>
                {text('networkStations:move')}
              </Button>
            )}
          </li>
        ))}
      </ul>
      <Button size="m" icon={<Printer aria-hidden="true" size={20} />} onPress={() => setPrinting(true)}>
        {text('networkStations:print')}
      </Button>
      {isPrinting && <PrintPopup stations={[station.number]} onClose={() => setPrinting(false)} />}
      {moved && <MovePopup code={moved} onClose={() => setMoved(null)} onDone={onDone} />}
    </Card>
  );
}

const targetRequest = ({ station }: { station: string }) => ({ station: station.trim().toUpperCase() });
const targetRules = contractRules(pointCode.body, targetRequest, {
  station: { path: 'station', text: 'networkStations:wrongNumber' },
});

/** A sticker stays where it is; what it leads to changes. */
function MovePopup({ code, onClose, onDone }: { code: string; onClose: () => void; onDone: () => void }) {
  const text = useText();
  const form = useForm({
    start: { station: '' },
    rules: targetRules,
    send: (typed) => call(pointCode, { params: { code }, body: targetRequest(typed) }),
    onSuccess: () => {
      onClose();
      onDone();
    },
  });
  return (
    <PopupFrame open onClose={onClose} title={text('networkStations:moveTitle', { code })} titleClassName="text-h2">
      <form {...form.props} className="flex flex-col gap-4">
        <Field label={text('networkStations:newTarget')} {...form.field('station')} />
        <p className="rounded-control bg-surface-2 p-3 text-note">{text('networkStations:moveEffect')}</p>
        <Button type="submit" kind="main" busy={form.isBusy}>
          {text('networkStations:move')}
        </Button>
      </form>
    </PopupFrame>
  );
}
