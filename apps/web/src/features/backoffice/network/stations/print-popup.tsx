import { addStationCodes, codeSheet, mostCodes, type SheetSize } from '@fpay/contract/admin/network/codes';
import { useQueryClient } from '@tanstack/react-query';
import Printer from 'lucide-react/icons/printer';
import { useState } from 'react';
import { addressOf } from '../../../../api/address.ts';
import { call } from '../../../../api/call.ts';
import { useAction } from '../../../../data/action.ts';
import { useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { Field } from '../../../../ui/form/field.tsx';
import { Segmented } from '../../../../ui/form/segmented.tsx';
import { PopupFrame } from '../../../../ui/overlay/popup-frame.tsx';
import { useMay } from '../../parts/use-may.ts';

interface PrintPopupProps {
  stations: readonly string[];
  onClose: () => void;
}

/** Chooses the stations and the size of the sheet, and opens the PDF. */
export function PrintPopup({ stations, onClose }: PrintPopupProps) {
  const text = useText();
  const cache = useQueryClient();
  const mayCreate = useMay('manage-network');
  const [size, setSize] = useState<SheetSize>(stations.length > 1 ? 'a4' : 'a6');
  const [typed, setTyped] = useState(stations.slice(0, mostCodes).join(', '));
  const chosen = typed.split(/[\s,;]+/).filter((number) => number !== '');
  const { url } = addressOf(codeSheet, { query: { stations: chosen.join(','), size } });
  const [isReady, setReady] = useState(!mayCreate);
  const preparing = useAction(
    // A station without a code gets one first, because a sheet cannot be printed without it.
    () => call(addStationCodes, { body: { stations: chosen } }),
    {
      onSuccess: () => {
        setReady(true);
        void cache.invalidateQueries({ queryKey: ['backoffice', 'network', 'stations'] });
      },
    },
  );
  return (
    <PopupFrame open onClose={onClose} title={text('networkStations:printCodes')} titleClassName="text-h2">
      <Segmented
        legend={text('networkStations:sheetSize')}
        value={size}
        onChange={setSize}
        segments={[
          { value: 'a6', label: text('networkStations:sheetA6') },
          { value: 'a4', label: text('networkStations:sheetA4') },
        ]}
      />
      <Field
        label={text('network:stations')}
        hint={text('network:stationCount', { count: chosen.length })}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setReady(!mayCreate);
        }}
      />
      {isReady ? (
        <Button kind="main" href={url} icon={<Printer aria-hidden="true" size={20} />}>
          {text('networkStations:openPdf')}
        </Button>
      ) : (
        <Button
          kind="main"
          disabled={chosen.length === 0}
          busy={preparing.isPending}
          onPress={() => preparing.mutate()}
        >
          {text('networkStations:makePdf')}
        </Button>
      )}
    </PopupFrame>
  );
}
