import type { User } from '@fpay/contract/account';
import { useQueryClient } from '@tanstack/react-query';
import Camera from 'lucide-react/icons/camera';
import Car from 'lucide-react/icons/car';
import { useEffect, useRef } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { Avatar } from '../../ui/avatar.tsx';
import { Button } from '../../ui/button.tsx';
import { Dock } from '../../ui/dock.tsx';
import { Field } from '../../ui/field.tsx';
import { MainButton } from '../../ui/main-button.tsx';
import { PageTitle } from '../../ui/page-title.tsx';
import { PasswordField } from '../../ui/password-field.tsx';
import { formatPhone } from '../../ui/phone.ts';
import { PhoneField } from '../../ui/phone-field.tsx';
import { Pressable } from '../../ui/pressable.tsx';
import { accountQueries, useUser } from '../account/queries.ts';
import { CoveredField } from './covered-field.tsx';
import { change, discardDraft, hasUnsavedEdits, useDraft } from './draft.ts';
import { type Draft, type DraftField, isEdited, type Mistakes } from './edit.ts';
import { OwnData } from './own-data.tsx';
import { ProofPopup } from './proof-popup.tsx';
import { useSave } from './save.ts';
import { SignedInDevices } from './signed-in-devices.tsx';
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
  useCoverOnLeave(user);

  return (
    <form
      noValidate
      className="flex flex-1 flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        // A popup is drawn elsewhere, yet its own form's events pass through here.
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
          mistakes={saving.mistakes}
          onChange={(field, value) => {
            saving.clearMistake(field);
            change(user, { [field]: value });
          }}
        />
        <SignedInDevices />
        <OwnData user={user} />
      </div>
      <Dock>
        <div className="grid grid-cols-2 gap-2">
          {edited ? (
            <Button
              onPress={() => {
                saving.startOver();
                void queryClient.invalidateQueries(accountQueries.user());
              }}
            >
              {text('account:cancel')}
            </Button>
          ) : (
            <Button to="/cars" icon={<Car aria-hidden="true" size={20} />}>
              {text('cars:title')}
            </Button>
          )}
          <MainButton
            type="submit"
            disabled={!edited}
            disabledLabel={text('account:nothingToSave')}
            busy={saving.isPending}
          >
            {text('account:save')}
          </MainButton>
        </div>
      </Dock>
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

/** Fields that were opened and left as they were are covered again. */
function useCoverOnLeave(user: User): void {
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
        <Camera aria-hidden="true" size={18} />
      </span>
    </Pressable>
  );
}

interface FieldsProps {
  user: User;
  draft: Draft;
  mistakes: Mistakes;
  onChange: (field: DraftField, value: string) => void;
}

function Fields({ user, draft, mistakes, onChange }: FieldsProps) {
  const text = useText();
  const errorOf = (field: DraftField) => mistakes[field] && text(mistakes[field]);
  return (
    <>
      <CoveredField
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
      </CoveredField>
      <CoveredField
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
      </CoveredField>
      <CoveredField
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
      </CoveredField>
    </>
  );
}
