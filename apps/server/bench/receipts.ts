import { languages } from '@fpay/contract/languages';
import { drawReceipt } from '../src/receipts/draw.ts';
import type { Receipt } from '../src/receipts/receipt.ts';

const seller = {
  brand: 'FPay',
  name: 'ТОВ «ФПЕЙ УКРАЇНА»',
  edrpou: '43210987',
  vat: '432109826551',
  supportPhone: '0 800 000 000',
  site: 'fpay.ua',
};
const count = Number(process.env.BENCH_RECEIPTS ?? 10_000);
/** The goals: under 50 ms of CPU time each, and memory that does not grow with their number. */
const mostMs = 50;
const mostGrowthBytes = 50 * 1024 * 1024;

function receiptOf(operation: number): Receipt {
  return {
    operation,
    language: languages[operation % languages.length] ?? 'uk',
    station: 'F1400',
    address: 'вул. Набережна Перемоги, 86А, Дніпро',
    car: 'Nissan Leaf',
    connector: { type: 'ccstype2', number: 2, power: 60_000 },
    startedAt: new Date('2026-11-15T08:03:00Z'),
    finishedAt: new Date('2026-11-15T09:12:00Z'),
    energyWh: 24_513,
    price: 15_50,
    idle: null,
    deposit: 400_00,
    captured: 379_95,
    refunded: 0,
    paidBy: { kind: 'card', maskedPan: '444403******1902', rrn: '060189181768' },
    fiscal: { number: '3512874562', url: 'https://cabinet.tax.gov.ua/cashregs/check?id=3512874562' },
    soc: { first: 18, last: 80 },
    // As many points as a stored curve has at most.
    curve: {
      beganAt: new Date('2026-11-15T08:03:00Z'),
      seconds: Array.from({ length: 200 }, (_, index) => index * 20),
      powerW: Array.from({ length: 200 }, (_, index) => 48_000 - index * 100),
    },
  };
}

export async function benchReceipts(): Promise<boolean> {
  const draw = (index: number) => drawReceipt(receiptOf(index + 1), seller, `https://fpay.example/status/${index + 1}`);
  for (let index = 0; index < 50; index += 1) await draw(index);
  const memory = [];
  const cpu = process.cpuUsage();
  for (let index = 0; index < count; index += 1) {
    await draw(index);
    if (index % Math.ceil(count / 20) === 0) memory.push(process.memoryUsage().rss);
  }
  const { user, system } = process.cpuUsage(cpu);
  const ms = (user + system) / 1000 / count;
  // During the first fifth the heap may still grow to its normal size.
  const settled = memory.slice(Math.floor(memory.length / 5));
  const growth = (settled.at(-1) ?? 0) - (settled[0] ?? 0);
  console.log(`receipts: ${ms.toFixed(1)} ms of CPU time each over ${count}`);
  console.log(
    `receipts: memory ${Math.round((settled.at(-1) ?? 0) / 1e6)} MB, grown by ${Math.round(growth / 1e6)} MB`,
  );
  return ms < mostMs && growth < mostGrowthBytes;
}

if (import.meta.main) process.exitCode = (await benchReceipts()) ? 0 : 1;
