import { text } from '../../../i18n/i18n.ts';
import type { TextKey } from '../../../i18n/text-key.ts';
import { formatKwh } from '../../../ui/format/energy.tsx';
import { formatMoney } from '../../../ui/format/money.tsx';
import type { ActionResult } from './perform.ts';

type CommandOutcome = Extract<ActionResult, { kind: 'command' }>['outcome'];

const outcomes = {
  answered: 'admin:commandAnswered',
  error: 'admin:commandError',
  timeout: 'admin:commandTimeout',
  offline: 'admin:commandOffline',
  unknown: 'admin:commandUnknown',
} as const satisfies Record<CommandOutcome, TextKey>;

/** What an action has done. */
export function actionResultText(result: ActionResult): string {
  switch (result.kind) {
    case 'operation':
      return text('admin:doneOperation', { status: result.status });
    case 'payment':
      return text('admin:donePayment', { status: result.status });
    case 'energy':
      return text('admin:doneEnergy', { energy: formatKwh(result.energy), total: formatMoney(result.total) });
    case 'command':
      return text(outcomes[result.outcome], { status: result.status ?? '' });
  }
}
