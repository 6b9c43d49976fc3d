import { type CaseItem, firstAnswerMinutes } from '@fpay/contract/admin/cases';
import { formatMinutes } from '../../../ui/format/minutes.ts';

const minuteMs = 60_000;
const minutesInDay = 24 * 60;

/** `6 хв`, `2 год 10 хв`; days are counted in hours. */
export const formatMs = (ms: number): string => {
  const minutes = Math.max(0, Math.floor(ms / minuteMs));
  // Minutes of a wait that is longer than a day only make it harder to read.
  return formatMinutes(minutes >= minutesInDay ? minutes - (minutes % 60) : minutes);
};

/** Green while the promise holds, amber when its time is nearly over, red after it. */
export function answerTone(ms: number): 'free' | 'occupied' | 'error' {
  const minutes = ms / minuteMs;
  if (minutes < firstAnswerMinutes.soon) return 'free';
  return minutes < firstAnswerMinutes.late ? 'occupied' : 'error';
}

/** The time to the first answer; null while there is none. */
export function firstAnswerMs({ opened_at, first_answer_at }: CaseItem): number | null {
  return first_answer_at === null ? null : Date.parse(first_answer_at) - Date.parse(opened_at);
}
