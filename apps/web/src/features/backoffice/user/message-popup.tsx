import { type AdminUser, sendSms, sendTelegram } from '@fpay/contract/admin/users';
import { useMutation } from '@tanstack/react-query';
import { call } from '../../../api/call.ts';
import { errorText } from '../../../api/error-text.ts';
import { useText } from '../../../i18n/use-text.ts';
import { Button } from '../../../ui/form/button.tsx';
import { Field } from '../../../ui/form/field.tsx';
import { PopupFrame } from '../../../ui/overlay/popup-frame.tsx';
import { notify } from '../../../ui/overlay/popups.ts';
import { contractRules, useFields } from '../parts/use-form.ts';

const channels = {
  send_sms: { title: 'adminUsers:smsTitle', failed: 'adminUsers:smsFailed' },
  send_telegram: { title: 'adminUsers:telegramTitle', failed: 'adminUsers:telegramFailed' },
} as const;

const start = { message: '' };
/** The message has the same rule in both channels; the user is not typed. */
const rules = contractRules(sendTelegram.body, (typed: typeof start) => ({ ...typed, user_id: 1 }), {
  message: { path: 'message', text: 'adminUsers:messageRequired' },
});

interface MessagePopupProps {
  user: AdminUser;
  channel: keyof typeof channels;
  onClose: () => void;
}

/** Sends a text to the user. */
export function MessagePopup({ user, channel, onClose }: MessagePopupProps) {
  const text = useText();
  const { title, failed } = channels[channel];
  const sending = useMutation({
    mutationFn: (message: string) =>
      channel === 'send_sms'
        ? call(sendSms, { body: { phone_number: user.phone_number ?? '', message } })
        : call(sendTelegram, { body: { user_id: user.id, message } }),
    onSuccess: () => {
      onClose();
      void notify(text('adminUsers:messageQueued'));
    },
    // The typed text stays, so that it can be sent again.
    onError: (error) => void notify(`${text(failed)} ${text(errorText(error))}`),
  });
  const { field, props } = useFields({
    start,
    rules,
    onValid: ({ message }) => !sending.isPending && sending.mutate(message.trim()),
  });
  return (
    <PopupFrame open onClose={onClose} title={text(title)} titleClassName="text-h2">
      <form {...props} className="flex flex-col gap-4">
        <Field label={text('admin:message')} maxLength={1000} {...field('message')} />
        <Button type="submit" kind="main" busy={sending.isPending}>
          {text('adminUsers:send')}
        </Button>
      </form>
    </PopupFrame>
  );
}
