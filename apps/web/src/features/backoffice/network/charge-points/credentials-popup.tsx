import type { ChargePointCredentials } from '@fpay/contract/admin/network/charge-points';
import encodeQr from 'qr';
import { useMemo } from 'react';
import { useText } from '../../../../i18n/use-text.ts';
import { Button } from '../../../../ui/form/button.tsx';
import { PopupFrame } from '../../../../ui/overlay/popup-frame.tsx';
import { SecretFields } from './secret-fields.tsx';

interface CredentialsPopupProps {
  credentials: ChargePointCredentials;
  onClose: () => void;
}

/** What the installer types into the charger. The password is shown here and never again. */
export function CredentialsPopup({ credentials, onClose }: CredentialsPopupProps) {
  const text = useText();
  const { identity, address, password } = credentials;
  const fields = [
    { label: text('networkChargePoints:connectionAddress'), value: address },
    { label: text('networkChargePoints:identity'), value: identity },
    { label: text('networkChargePoints:password'), value: password },
  ];
  return (
    <PopupFrame open onClose={onClose} title={text('networkChargePoints:credentialsTitle')} titleClassName="text-h2">
      <p className="-mt-3 text-note text-ink-2">{text('networkChargePoints:credentialsText')}</p>
      <div className="flex justify-center">
        <QrPicture value={address} label={text('networkChargePoints:addressQr')} />
      </div>
      <SecretFields fields={fields} />
      <Button kind="main" onPress={onClose}>
        {text('networkChargePoints:written')}
      </Button>
    </PopupFrame>
  );
}

/** Dark on white in both themes, with the quiet zone that scanners need. */
function QrPicture({ value, label }: { value: string; label: string }) {
  const { size, path } = useMemo(() => {
    const rows = encodeQr(value, 'raw', { border: 4 });
    const cells = rows.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : [])));
    return { size: rows.length, path: cells.join('') };
  }, [value]);
  return (
    <svg
      role="img"
      aria-label={label}
      viewBox={`0 0 ${size} ${size}`}
      width={176}
      height={176}
      className="rounded-control"
    >
      <rect width={size} height={size} fill="#fff" />
      <path d={path} fill="#000" shapeRendering="crispEdges" />
    </svg>
  );
}
