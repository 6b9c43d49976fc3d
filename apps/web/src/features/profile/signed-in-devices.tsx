import type { SignedInDevice } from '@fpay/contract/sessions';
import { useQuery } from '@tanstack/react-query';
import Laptop from 'lucide-react/icons/laptop';
import LogOut from 'lucide-react/icons/log-out';
import RotateCw from 'lucide-react/icons/rotate-cw';
import ShieldAlert from 'lucide-react/icons/shield-alert';
import Smartphone from 'lucide-react/icons/smartphone';
import type { ReactNode } from 'react';
import { errorText } from '../../api/error-text.ts';
import { useAction } from '../../data/action.ts';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { IconButton } from '../../ui/form/icon-button.tsx';
import { Spinner } from '../../ui/form/spinner.tsx';
import { DateTime } from '../../ui/format/date-time.tsx';
import { List, ListItem } from '../../ui/layout/list.tsx';
import { SkeletonList } from '../../ui/layout/skeleton.tsx';
import { confirm } from '../../ui/overlay/popups.ts';
import { profileQueries, useEndSessions } from './queries.ts';

/** A sign-in that the driver may not know of stands out for a week. */
const newForMs = 7 * 24 * 3_600_000;
const handhelds = ['iPhone', 'iPad', 'Android'];

/** The devices on which the driver is signed in, with buttons to sign out. */
export function DeviceList() {
  const text = useText();
  const { data, error, isFetching, refetch } = useQuery(profileQueries.sessions());
  return (
    <section aria-label={text('account:devicesTitle')} className="mt-2 flex flex-col gap-2">
      <h2 className="text-note font-bold">{text('account:devicesTitle')}</h2>
      {data ? (
        <Devices devices={data.sessions} />
      ) : error ? (
        <List>
          <ListItem
            onPress={() => !isFetching && void refetch()}
            arrow={false}
            icon={isFetching ? <Spinner /> : <RotateCw size={20} />}
            title={text('account:devicesFailed')}
            subtitle={text(errorText(error))}
          />
        </List>
      ) : (
        <SkeletonList rows={2} />
      )}
    </section>
  );
}

function Devices({ devices }: { devices: SignedInDevice[] }) {
  const text = useText();
  const endSessions = useEndSessions();
  const { mutate, isPending, variables } = useAction(endSessions);
  const others = devices.filter(({ is_current }) => !is_current);

  async function signOut(device: SignedInDevice): Promise<void> {
    const isSure = await confirm({
      title: text('account:deviceSignOutTitle', { device: nameOf(device) ?? text('account:deviceUnknown') }),
      effect: text('account:deviceSignOutEffect'),
      confirmLabel: text('account:signOut'),
      cancelLabel: text('account:cancel'),
    });
    if (isSure) mutate(device.id);
  }

  async function signOutEverywhere(): Promise<void> {
    const isSure = await confirm({
      title: text('account:devicesSignOutTitle'),
      effect: text('account:devicesSignOutEffect'),
      confirmLabel: text('account:devicesSignOutYes'),
      cancelLabel: text('account:cancel'),
    });
    if (isSure) mutate('others');
  }

  return (
    <>
      <List>
        {devices.map((device) => (
          <Device
            key={device.id}
            device={device}
            isEnding={isPending && (variables === device.id || (variables === 'others' && !device.is_current))}
            onSignOut={() => !isPending && void signOut(device)}
          />
        ))}
      </List>
      {others.length === 0 ? (
        <p className="text-small text-ink-2">{text('account:devicesNone')}</p>
      ) : (
        <>
          <p className="px-1 text-note text-ink-2">{text('account:devicesHint')}</p>
          <Button busy={isPending && variables === 'others'} onPress={() => !isPending && void signOutEverywhere()}>
            {text('account:devicesSignOut')}
          </Button>
        </>
      )}
    </>
  );
}

interface DeviceProps {
  device: SignedInDevice;
  isEnding: boolean;
  onSignOut: () => void;
}

function Device({ device, isEnding, onSignOut }: DeviceProps) {
  const text = useText();
  const name = nameOf(device) ?? text('account:deviceUnknown');
  const isNew = !device.is_current && Date.now() - Date.parse(device.signed_in_at) < newForMs;
  const isHandheld = handhelds.includes(device.system ?? '');
  return (
    <ListItem
      icon={isNew ? <ShieldAlert size={20} /> : isHandheld ? <Smartphone size={20} /> : <Laptop size={20} />}
      wellClassName={
        isNew ? 'bg-occupied-tint text-occupied' : device.is_current ? 'bg-free-tint text-free' : 'bg-surface-2'
      }
      title={name}
      subtitle={
        device.is_current ? (
          <ThisDevice>{text('account:deviceThis')}</ThisDevice>
        ) : (
          <LastSeen device={device} isNew={isNew} />
        )
      }
      trailing={
        !device.is_current && (
          <IconButton
            label={text('account:deviceSignOut', { device: name })}
            icon={isEnding ? <Spinner /> : <LogOut aria-hidden="true" size={20} />}
            onPress={onSignOut}
            className="-mr-2"
          />
        )
      }
    />
  );
}

function ThisDevice({ children }: { children: ReactNode }) {
  return <span className="font-[650] text-free">{children}</span>;
}

function LastSeen({ device, isNew }: { device: SignedInDevice; isNew: boolean }) {
  const { last_seen_at, signed_in_at, network } = device;
  const text = useText();
  return (
    <>
      {isNew && (
        <span className="block font-[650] text-occupied">
          {text('account:deviceNew')} <DateTime instant={signed_in_at} />
        </span>
      )}
      {text('account:deviceSeen')} <DateTime instant={last_seen_at} />
      {network !== null && <span className="block">{text('account:deviceNetwork', { network })}</span>}
    </>
  );
}

/** Product names, which are not translated. */
function nameOf({ browser, system }: SignedInDevice): string | null {
  return [browser, system].filter(Boolean).join(' · ') || null;
}
