import type { Ending } from './crowd-audit.ts';

const uah = (kopecks: number) => (kopecks / 100).toFixed(2);

/**
 * For each behaviour of a charge point, and each trouble from elsewhere: how many drivers, how they ended, what flowed,
 * was billed and paid.
 */
export function crowdTable(endings: readonly Ending[]): string {
  const byScenario = Map.groupBy(endings, ({ driver }) => driver.scenario);
  const troubled = endings.filter(({ driver }) => driver.trouble !== null);
  const byTrouble = Map.groupBy(troubled, ({ driver }) => driver.trouble ?? '');
  return [tableOf('charge point', byScenario), tableOf('trouble', byTrouble)].join('\n\n');
}

function tableOf(title: string, groups: ReadonlyMap<string, readonly Ending[]>): string {
  const rows = [...groups].map(([name, group]) => {
    const sum = (of: (ending: Ending) => number) => group.reduce((all, ending) => all + of(ending), 0);
    const count = (is: (ending: Ending) => boolean) => String(group.filter(is).length);
    const acts = group.flatMap(({ driver }) => driver.acts);
    const ended = group.filter(({ status }) => status === 'finished');
    return [
      name,
      String(group.length),
      count(({ status }) => status === 'finished'),
      count(({ status }) => status === 'canceled'),
      count(({ status }) => status === 'failed' || status === 'failed_hold'),
      count(({ status }) => status === null),
      `${acts.filter(({ isDone }) => isDone).length}/${acts.length}`,
      (sum(({ billedWh }) => billedWh) / 1000).toFixed(3),
      uah(sum(({ total }) => total)),
      uah(sum(({ paid }) => paid)),
      uah(sum(({ lost }) => lost)),
      String(Math.round(Math.max(0, ...ended.map(({ overshootWh, unguardedWh }) => overshootWh - unguardedWh)))),
      count(({ fault }) => fault !== null),
    ];
  });
  const head = [
    title,
    'drivers',
    'finished',
    'canceled',
    'failed',
    'no start',
    'acts',
    'kWh',
    'total',
    'paid',
    'lost',
    'past limit, Wh',
    'wrong',
  ];
  const widths = head.map((cell, at) => Math.max(cell.length, ...rows.map((row) => row[at]?.length ?? 0)));
  return [head, ...rows].map((row) => row.map((cell, at) => cell.padEnd(widths[at] ?? 0)).join('  ')).join('\n');
}
