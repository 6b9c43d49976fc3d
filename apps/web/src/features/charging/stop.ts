import { type Operation, stopOperation } from '@fpay/contract/charging';
import { kopecks } from '@fpay/contract/money';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { errorText } from '../../api/error-text.ts';
import { text } from '../../i18n/i18n.ts';
import { formatKwh } from '../../ui/format/energy.tsx';
import { formatMoney } from '../../ui/format/money.tsx';
import { gap } from '../../ui/format/number-format.ts';
import type { ConfirmQuestion } from '../../ui/overlay/confirm-popup.tsx';
import { confirm, notify } from '../../ui/overlay/popups.ts';
import { chargingQueries } from './queries.ts';
import { isShownCharging } from './status-view.ts';

/** Asks for confirmation with the present cost, then requests the stop. */
export function useStop(operation: Operation) {
  const queryClient = useQueryClient();
  const { queryKey } = chargingQueries.operation(operation.id);
  const { mutate, isPending } = useMutation({
    mutationFn: () => call(stopOperation, { params: { id: String(operation.id) } }),
    onSuccess: ({ status }) => {
      queryClient.setQueryData<Operation>(queryKey, (known) => known && { ...known, status, stop_requested: true });
      void queryClient.invalidateQueries({ queryKey });
    },
    onError: (error) => void notify(text(errorText(error))),
  });
  return {
    isPending,
    async askToStop() {
      if (await confirm(isShownCharging(operation.status) ? finishQuestion(operation) : cancelQuestion(operation)))
        mutate();
    },
  };
}

function finishQuestion({ energy, total, amount, price }: Operation): ConfirmQuestion {
  const received = `${formatKwh(energy)}${gap}${text('generic:kwh')}`;
  return {
    title: text('status:finishTitle'),
    effect:
      price === 0
        ? text('status:finishFreeEffect', { energy: received })
        : text('status:finishEffect', {
            energy: received,
            total: formatMoney(total),
            rest: formatMoney(kopecks(Math.max(0, amount - total))),
          }),
    confirmLabel: text('status:finishYes'),
    cancelLabel: text('status:finishNo'),
    kind: 'stop',
  };
}

function cancelQuestion({ amount }: Operation): ConfirmQuestion {
  return {
    title: text('status:cancelTitle'),
    effect: text('status:cancelEffect', { deposit: formatMoney(amount) }),
    confirmLabel: text('status:cancel'),
    cancelLabel: text('status:cancelNo'),
    kind: 'stop',
  };
}
