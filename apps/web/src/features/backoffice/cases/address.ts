import { type CaseQueueView, type CaseSource, caseQueueViews, caseSources } from '@fpay/contract/admin/cases';

/** The queue as its address describes it. */
export interface CaseAddress {
  view: CaseQueueView;
  source: CaseSource | null;
  q: string;
  page: number;
}

export function readCases(params: URLSearchParams): CaseAddress {
  return {
    view: caseQueueViews.find((view) => view === params.get('view')) ?? 'open',
    source: caseSources.find((source) => source === params.get('source')) ?? null,
    q: (params.get('q') ?? '').slice(0, 64),
    page: /^[1-9]\d{0,3}$/.test(params.get('page') ?? '') ? Number(params.get('page')) : 1,
  };
}

/** What differs from the usual queue; empty or beginning with `?`. */
export function writeCases({ view, source, q, page }: CaseAddress): string {
  const values = { view: view === 'open' ? null : view, source, q: q.trim() || null, page: page === 1 ? null : page };
  const set = Object.entries(values).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
  const text = new URLSearchParams(set).toString();
  return text === '' ? '' : `?${text}`;
}
