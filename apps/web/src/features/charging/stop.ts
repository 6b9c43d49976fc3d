import { type Operation, stopOperation } from '@fpay/contract/charging';
import { kopecks } from '@fpay/contract/money';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/call.ts';
import { errorText } from '../../api/error-text.ts';
import { text } from '../../i18n/i18n.ts';
import type { Question } from '../../ui/confirm-popup.tsx';
import { formatKwh } from '../../ui/energy.tsx';
import { formatMoney } from '../../ui/money.tsx';
import { gap } from '../../ui/number-format.ts';
import { confirm, notify } from '../../ui/popups.ts';
import { chargingQueries } from './queries.ts';
import { isCharging } from './status-view.ts';

/** Asks first, names what it costs, then asks the station to stop. */
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
      if (await confirm(isCharging(operation.status) ? finishQuestion(operation) : cancelQuestion(operation))) mutate();
    },
  };
}

function finishQuestion({ energy, total, amount, price }: Operation): Question {
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

function cancelQuestion({ amount }: Operation): Question {
  return {
    title: text('status:cancelTitle'),
    effect: text('status:cancelEffect', { deposit: formatMoney(amount) }),
    confirmLabel: text('status:cancel'),
    cancelLabel: text('status:cancelNo'),
    kind: 'stop',
  };
}
