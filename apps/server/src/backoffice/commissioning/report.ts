import type { Commissioning, CommissioningCheck } from '@fpay/contract/admin/network/commissioning';
import { connectorTypes } from '@fpay/contract/connectors';
import type { Language } from '@fpay/contract/person';
import { inLanguage, type Translated } from '@fpay/contract/translated';
import { kyivDate, kyivTime } from '../../platform/kyiv-time.ts';
import { endPdf, newPdf } from '../../platform/outside/pdf.ts';
import { createPen } from '../../receipts/pen.ts';
import type { Weight } from '../../receipts/type.ts';

interface ReportWords {
  title: string;
  station: string;
  technician: string;
  began: string;
  ended: string;
  connector: string;
  done: string;
  fault: string;
  signature: string;
  checks: Record<CommissioningCheck, string>;
}

const words: Translated<ReportWords> = {
  uk: {
    title: 'Введення в дію',
    station: 'Станція',
    technician: 'Технік',
    began: 'Початок',
    ended: 'Кінець',
    connector: 'роз’єм',
    done: 'виконано',
    fault: 'НЕ ВИКОНАНО',
    signature: 'Підпис',
    checks: {
      connected: 'На зв’язку',
      booted: 'Запуск пристрою',
      clock: 'Годинник',
      configured: 'Налаштування',
      plugged: 'Кабель під’єднано',
      charged: 'Пробна зарядка',
      metered: 'Показання',
      unlocked: 'Розблокування',
    },
  },
  en: {
    title: 'Commissioning',
    station: 'Station',
    technician: 'Technician',
    began: 'Began',
    ended: 'Ended',
    connector: 'connector',
    done: 'done',
    fault: 'NOT DONE',
    signature: 'Signature',
    checks: {
      connected: 'Connected',
      booted: 'Boot',
      clock: 'Clock',
      configured: 'Configuration',
      plugged: 'Cable plugged in',
      charged: 'Test charge',
      metered: 'Readings',
      unlocked: 'Unlock',
    },
  },
  pl: {
    title: 'Uruchomienie',
    station: 'Stacja',
    technician: 'Technik',
    began: 'Początek',
    ended: 'Koniec',
    connector: 'złącze',
    done: 'wykonano',
    fault: 'NIE WYKONANO',
    signature: 'Podpis',
    checks: {
      connected: 'Połączenie',
      booted: 'Start urządzenia',
      clock: 'Zegar',
      configured: 'Ustawienia',
      plugged: 'Kabel podłączony',
      charged: 'Ładowanie próbne',
      metered: 'Odczyty',
      unlocked: 'Odblokowanie',
    },
  },
};

const page = { width: 595.28, height: 841.89, margin: 48 };
const rowHeight = 30;
const ink = '#14213d';
const faint = '#5b667a';
const bad = '#b3261e';

/** One A4 page; a long list continues on the next. */
export async function drawCommissioning(result: Commissioning, language: Language): Promise<Buffer> {
  const word = inLanguage(words, language);
  const document = await newPdf({
    size: 'A4',
    info: { Title: `${word.title} ${result.charge_point.identity}`, CreationDate: new Date(result.started_at) },
    lang: language,
  });
  const pen = createPen(document);
  const write = (text: string, x: number, y: number, size: number, weight: Weight, color = ink) =>
    pen.write(text, { x, y, size, weight, color });
  const timeOf = (instant: string | null) => {
    const at = instant === null ? null : new Date(instant);
    return at ? `${kyivDate(at)} ${kyivTime(at)}` : '—';
  };

  write(word.title, page.margin, page.margin, 22, 700);
  write(result.charge_point.identity, page.margin, page.margin + 32, 14, 700);
  const facts = [
    `${word.station}: ${result.charge_point.station ?? '—'}`,
    `${word.technician}: ${result.staff}`,
    `${word.began}: ${timeOf(result.started_at)} · ${word.ended}: ${timeOf(result.finished_at)}`,
  ];
  for (const [index, fact] of facts.entries()) {
    write(fact, page.margin, page.margin + 58 + index * 16, 10, 400, faint);
  }

  let y = page.margin + 124;
  for (const { check, connector, type, state, seen, note } of result.steps) {
    if (y > page.height - page.margin - 3 * rowHeight) {
      document.addPage();
      y = page.margin;
    }
    const place =
      connector === null || type === null ? '' : ` · ${word.connector} ${connector} ${connectorTypes[type].name}`;
    write(`${word.checks[check]}${place}`, page.margin, y, 11, 700);
    write(state === 'done' ? word.done : word.fault, page.width - 150, y, 10, 700, state === 'done' ? ink : bad);
    write([seen, note].filter(Boolean).join(' · ').slice(0, 90), page.margin, y + 14, 9, 400, faint);
    y += rowHeight;
  }
  write(`${word.signature}: ______________________`, page.margin, y + 24, 10, 400);

  return endPdf(document);
}
