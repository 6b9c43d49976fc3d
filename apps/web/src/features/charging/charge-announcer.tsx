import type { Operation } from '@fpay/contract/charging';
import { useState } from 'react';
import { useText } from '../../i18n/use-text.ts';
import { formatPercent } from '../../ui/format/number-format.ts';
import type { Freshness } from './freshness.ts';
import { titleOf } from './status-view.ts';

interface ChargeAnnouncerProps {
  operation: Operation;
  freshness: Freshness;
  /** The phone has no network. */
  isLost: boolean;
}

/**
 * Tells a screen reader what has changed: the state, half and four fifths of the charge, trouble and the end. One element that stays,
 * because the texts of an element that has just appeared are not read. What was there when the page opened is read from the page.
 */
export function ChargeAnnouncer(props: ChargeAnnouncerProps) {
  const text = useText();
  const state = text(stateOf(props));
  const milestone = milestoneOf(props.operation);
  const [said, setSaid] = useState({ state, milestone: milestone.reached, message: '' });
  const changes = [state !== said.state && state, milestone.reached > said.milestone && progressText()].filter(Boolean);
  if (state !== said.state || milestone.reached !== said.milestone)
    setSaid({ state, milestone: milestone.reached, message: changes.join('. ') || said.message });
  return (
    <p role="status" className="sr-only" data-testid="announced">
      {said.message}
    </p>
  );

  function progressText(): string {
    const percent = formatPercent(milestone.percent);
    return text(milestone.isCar ? 'status:batteryCar' : 'status:batterySum', { percent });
  }
}

function stateOf({ operation, freshness, isLost }: ChargeAnnouncerProps) {
  if (isLost) return 'status:lost';
  if (freshness === 'silent') return 'status:silentTitle';
  if (freshness === 'stale') return 'status:stale';
  if (operation.stop_ignored) return 'status:stopIgnored';
  if (operation.idle?.is_awaiting_unplug) return 'status:idlePlugged';
  if (operation.idle?.cause) return 'status:idleFull';
  if (operation.decline_reason) return 'status:declined';
  return titleOf(operation);
}

const milestones = [80, 50];

/** Of the car when it tells its charge, otherwise of the deposit, as the battery on the page. */
function milestoneOf({ soc, percentage }: Operation) {
  const percent = soc ?? percentage ?? 0;
  return { percent, isCar: soc !== null, reached: milestones.find((milestone) => percent >= milestone) ?? 0 };
}
