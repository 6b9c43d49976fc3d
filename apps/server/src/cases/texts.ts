import type { Language } from '@fpay/contract/person';
import { inLanguage, type Translated } from '@fpay/contract/translated';
import type { Step } from '../platform/step.ts';
import type { CaseChannel } from './store.ts';

/** An answer for each channel; `messages` sends it. */
interface AnswerNotice {
  title: string;
  body: string;
  chat: string;
  sms: string;
  path: `/${string}`;
  tag: string;
  ttlSeconds: number;
}

/** What the case needs of messages: queues a message whose outcome is reported for the entry, and returns its channels. */
export type SendAnswer = (
  step: Step,
  user: number,
  reference: { entry: number },
  textFor: (language: Language) => AnswerNotice,
) => Promise<CaseChannel[]>;

/** Queues an answer of staff for the channels of the driver, and returns those. None: the answer is in the thread only. */
export type AnswerDelivery = (
  step: Step,
  user: number,
  answer: { id: number; entry: number; text: string },
) => Promise<CaseChannel[]>;

const titles = {
  uk: 'Підтримка відповіла',
  en: 'Support has answered',
  pl: 'Obsługa odpowiedziała',
} as const satisfies Translated<string>;

const sms = {
  uk: ({ brand, id, link }) => `${brand}: відповідь на звернення № ${id}. ${link}`,
  en: ({ brand, id, link }) => `${brand}: an answer to your case No. ${id}. ${link}`,
  pl: ({ brand, id, link }) => `${brand}: odpowiedź na zgłoszenie nr ${id}. ${link}`,
} as const satisfies Translated<(answer: { brand: string; id: number; link: string }) => string>;

const dayS = 24 * 3600;

/** The answer for each channel. The SMS has only the link, because a long text would be several messages. */
export function answerNotice(
  { id, text, brand, publicUrl }: { id: number; text: string; brand: string; publicUrl: string },
  language: Language,
): AnswerNotice {
  const title = inLanguage(titles, language);
  const path = `/support/${id}` as const;
  const link = new URL(path, publicUrl).href;
  return {
    title,
    body: text,
    chat: `💬 ${title}\n\n${text}\n\n${link}`,
    sms: inLanguage(sms, language)({ brand, id, link }),
    path,
    tag: `support-${id}`,
    ttlSeconds: dayS,
  };
}
