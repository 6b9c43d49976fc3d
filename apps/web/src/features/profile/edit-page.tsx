import type { User } from '@fpay/contract/account';
import { useQueryClient } from '@tanstack/react-query';
import Car from 'lucide-react/icons/car';
import Pencil from 'lucide-react/icons/pencil';
import { useEffect, useRef } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { Button } from '../../ui/form/button.tsx';
import { Field } from '../../ui/form/field.tsx';
import { MainButton } from '../../ui/form/main-button.tsx';
import { PasswordField } from '../../ui/form/password-field.tsx';
import { formatPhone } from '../../ui/form/phone.ts';
import { PhoneField } from '../../ui/form/phone-field.tsx';
import { Pressable } from '../../ui/form/pressable.tsx';
import { Avatar } from '../../ui/layout/avatar.tsx';
import { Dock } from '../../ui/layout/dock.tsx';
import { PageTitle } from '../../ui/layout/page-title.tsx';
import { accountQueries, useUser } from '../account/queries.ts';
import { change, discardDraft, hasUnsavedEdits, useDraft } from './draft.ts';
import { type Draft, type DraftField, isEdited, type ProfileErrors } from './edit.ts';
import { MaskedField } from './masked-field.tsx';
import { OwnDataRow } from './own-data.tsx';
import { ProofPopup } from './proof-popup.tsx';
import { useSave } from './save.ts';
import { DeviceList } from './signed-in-devices.tsx';
import { useUnsavedGuard } from './unsaved-guard.ts';

export function Page() {
  const user = useUser();
  return user && <EditPage user={user} />;
}

function EditPage({ user }: { user: User }) {
  const text = useText();
  const queryClient = useQueryClient();
  const draft = useDraft(user);
  const saving = useSave(user, draft);
  const edited = isEdited(draft, user);
  useUnsavedGuard(user);
  useMaskOnLeave(user);

  return (
    <form
      noValidate
      className="flex flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        // A popup is rendered elsewhere, but React passes the events of its form through here.
        if (event.target !== event.currentTarget) return;
        if (edited && !saving.isPending) saving.save();
      }}
    >
      <div className="flex flex-1 flex-col gap-4 px-4 pt-1 pb-6">
        <PageTitle back="/account">{text('account:editTitle')}</PageTitle>
        <p role="status" className="-mt-2 text-note text-free empty:hidden">
          {saving.isSaved && !edited && text('account:saved')}
        </p>
        <ChosenAvatar icon={draft.icon ?? user.icon} />
        <Fields
          user={user}
          draft={draft}
          errors={saving.errors}
          onChange={(field, value) => {
            saving.clearError(field);
            change(user, { [field]: value });
          }}
        />
        <DeviceList />
        <OwnDataRow user={user} />
      </div>
      <EditButtons
        hasEdits={edited}
        isBusy={saving.isPending}
        onCancel={() => {
          saving.startOver();
          void queryClient.invalidateQueries(accountQueries.user());
        }}
      />
      {saving.asked && (
        <ProofPopup
          asked={saving.asked}
          isBusy={saving.isPending}
          onProve={saving.prove}
          onSendAgain={saving.sendAgain}
          onClose={saving.closeProof}
        />
      )}
    </form>
  );
}

interface EditButtonsProps {
  hasEdits: boolean;
  isBusy: boolean;
  onCancel: () => void;
}

/** The cars, or the way back once something is edited; and the save. */
function EditButtons({ hasEdits, isBusy, onCancel }: EditButtonsProps) {
  const text = useText();
  return (
    <Dock>
      <div className="grid grid-cols-2 gap-2">
        {hasEdits ? (
          <Button onPress={onCancel}>{text('account:cancel')}</Button>
        ) : (
          <Button to="/cars" icon={<Car aria-hidden="true" size={20} />}>
            {text('cars:title')}
          </Button>
        )}
        <MainButton type="submit" disabled={!hasEdits} disabledLabel={text('account:nothingToSave')} busy={isBusy}>
          {text('account:save')}
        </MainButton>
      </div>
    </Dock>
  );
}

/** Fields that were opened and left unchanged are masked again. */
function useMaskOnLeave(user: User): void {
  const latest = useRef(user);
  latest.current = user;
  useEffect(
    () => () => {
      if (!hasUnsavedEdits(latest.current)) discardDraft();
    },
    [],
  );
}

function ChosenAvatar({ icon }: { icon: number }) {
  const text = useText();
  return (
    <Pressable
      to="/icons"
      aria-label={text('account:changeAvatar')}
      className="relative self-center rounded-full active:opacity-80"
    >
      <Avatar icon={icon} size={104} />
      <span className="absolute right-0 bottom-0 grid size-9 place-items-center rounded-full bg-surface shadow-float">
        <Pencil aria-hidden="true" size={18} />
      </span>
    </Pressable>
  );
}

interface FieldsProps {
  user: User;
  draft: Draft;
  errors: ProfileErrors;
  onChange: (field: DraftField, value: string) => void;
}

function Fields({ user, draft, errors, onChange }: FieldsProps) {
  const text = useText();
  const errorOf = (field: DraftField) => errors[field] && text(errors[field]);
  return (
    <>
      <MaskedField
        label={text('account:name')}
        value={user.name}
        isOpen={draft.name !== undefined}
        onOpen={() => onChange('name', user.name)}
      >
        <Field
          label={text('account:name')}
          autoComplete="name"
          value={draft.name ?? ''}
          onChange={({ target }) => onChange('name', target.value)}
          error={errorOf('name')}
        />
      </MaskedField>
      <MaskedField
        label={text('account:phone')}
        value={formatPhone(user.phone_number)}
        isOpen={draft.phone !== undefined}
        onOpen={() => onChange('phone', user.phone_number)}
      >
        <PhoneField
          label={text('account:phone')}
          hint={text('account:phoneHint')}
          value={draft.phone ?? ''}
          onChange={(phone) => onChange('phone', phone)}
          error={errorOf('phone')}
        />
      </MaskedField>
      <MaskedField
        label={text('account:password')}
        value="••••••••"
        isOpen={draft.password !== undefined}
        onOpen={() => onChange('password', '')}
      >
        <PasswordField
          label={text('account:newPassword')}
          hint={text('account:passwordHint')}
          autoComplete="new-password"
          value={draft.password ?? ''}
          onChange={(password) => onChange('password', password)}
          error={errorOf('password')}
        />
      </MaskedField>
    </>
  );
}
