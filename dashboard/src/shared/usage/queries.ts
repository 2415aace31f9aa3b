import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf, pageOf } from '../../api/client';
import { keys } from '../../api/keys';
import { every } from '../../api/problem';
import type { Budget, SetBudget } from '../../api/types';
import { sayNumber } from '../../parts/count';

const windows = [1, 7];

/** Reads a view of usage out of the query string; anything else is the usual view. */
export function usageViewOf({ by, days }: Record<string, unknown>): UsageView {
  return {
    by: groupings.includes(by as Grouping) ? (by as Grouping) : undefined,
    days: windows.includes(days as number) ? (days as number) : undefined,
  };
}

const short = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });
const dollars = new Intl.NumberFormat('en', { style: 'currency', currency: 'USD' });

/** What is counted and limited, in the order in which it is shown. */
export const measures = ['tokens', 'costMicros', 'turns', 'toolCalls', 'wallSeconds'] as const;
export type Measure = (typeof measures)[number];

export const measureNames: Record<Measure, string> = {
  tokens: 'Tokens',
  costMicros: 'Cost',
  turns: 'Turns',
  toolCalls: 'Tool calls',
  wallSeconds: 'Time',
};

/** `12.4K`: large figures in short, for places where their size matters and not their last digit. */
export const shortNumber = (value: number): string => short.format(value);

/** `$1.24`; a cost that would round to nothing is shown as less than a cent. */
export function costOf(micros: number): string {
  if (micros > 0 && micros < 10_000) return '< $0.01';
  return dollars.format(micros / 1_000_000);
}

/** `5 h 12 min` and `3 min`: how long work was held, in hours without end, because days of work are not days. */
export function timeOf(seconds: number): string {
  if (seconds > 0 && seconds < 60) return '< 1 min';
  const minutes = Math.floor(seconds / 60);
  const [hours, rest] = [Math.floor(minutes / 60), minutes % 60];
  if (hours === 0) return `${rest} min`;
  return rest === 0 ? `${hours} h` : `${hours} h ${rest} min`;
}

/** A figure of a measure in its unit. */
export function sayFigure(measure: Measure, value: number): string {
  if (measure === 'costMicros') return costOf(value);
  if (measure === 'wallSeconds') return timeOf(value);
  return measure === 'tokens' ? shortNumber(value) : sayNumber(value);
}

/** What has usage and can have a budget. */
export interface UsageSubject {
  kind: 'agent' | 'project' | 'issue';
  id: string;
}

export const groupings = ['day', 'agent', 'project', 'issue', 'model'] as const;
export type Grouping = (typeof groupings)[number];

/** How usage is listed; it lives in the query string. */
export interface UsageView {
  by?: Grouping | undefined;
  days?: number | undefined;
}

export const DEFAULT_DAYS = 30;
const ROWS = 200;
/** Usage has no events: the service counts turns, calls and time within a few seconds. */
export const USAGE_REFRESH_MS = 30_000;

const HOUR_MS = 3_600_000;

/** The usage of a subject in the last days, by what `groupBy` names. The window begins at a whole hour. */
export const usageQuery = ({ kind, id }: UsageSubject, groupBy: Grouping, days: number) =>
  queryOptions({
    queryKey: [...keys.usage, kind, id, groupBy, days],
    queryFn: () =>
      pageOf(
        api.GET('/api/usage', {
          params: {
            query: {
              groupBy,
              limit: ROWS,
              from: new Date(Math.floor(Date.now() / HOUR_MS - days * 24) * HOUR_MS).toISOString(),
              ...(kind === 'agent' && { agentId: id }),
              ...(kind === 'project' && { projectId: id }),
              ...(kind === 'issue' && { issueId: id }),
            },
          },
        }),
      ),
    refetchInterval: every(USAGE_REFRESH_MS),
  });

export const budgetQuery = (subject: UsageSubject) =>
  queryOptions({
    queryKey: [...keys.usage, 'budget', subject.kind, subject.id],
    queryFn: () => readBudget(subject),
    refetchInterval: every(USAGE_REFRESH_MS),
  });

function readBudget({ kind, id }: UsageSubject): Promise<Budget> {
  if (kind === 'agent')
    return bodyOf(api.GET('/api/agents/{agentId}/budget', { params: { path: { agentId: id } } }));
  if (kind === 'project')
    return bodyOf(api.GET('/api/projects/{projectId}/budget', { params: { path: { projectId: id } } }));
  return bodyOf(api.GET('/api/projects/issues/{issueId}/budget', { params: { path: { issueId: id } } }));
}

/** Sets the budget of a subject, or removes it where no measure has a limit. */
export async function saveBudget({ kind, id }: UsageSubject, body: SetBudget | null): Promise<void> {
  if (kind === 'agent') {
    const params = { path: { agentId: id } };
    await (body === null
      ? api.DELETE('/api/agents/{agentId}/budget', { params })
      : api.PUT('/api/agents/{agentId}/budget', { params, body }));
  } else if (kind === 'project') {
    const params = { path: { projectId: id } };
    await (body === null
      ? api.DELETE('/api/projects/{projectId}/budget', { params })
      : api.PUT('/api/projects/{projectId}/budget', { params, body }));
  } else {
    const params = { path: { issueId: id } };
    await (body === null
      ? api.DELETE('/api/projects/issues/{issueId}/budget', { params })
      : api.PUT('/api/projects/issues/{issueId}/budget', { params, body }));
  }
}

/** What people type, in the unit that they think in: tokens in thousands, dollars, hours. */
export type BudgetFields = Record<Measure, string> & { period: 'day' | 'month' | 'total' };

/** The fields of no budget. */
export const noBudget: BudgetFields = {
  ...{ tokens: '', costMicros: '', turns: '', toolCalls: '', wallSeconds: '' },
  period: 'day',
};

export const perUnit: Record<Measure, number> = {
  tokens: 1_000,
  costMicros: 1_000_000,
  turns: 1,
  toolCalls: 1,
  wallSeconds: 3_600,
};

export const fieldLabels: Record<Measure, string> = {
  tokens: 'Tokens, in thousands',
  costMicros: 'Cost, in US dollars',
  turns: 'Turns',
  toolCalls: 'Tool calls',
  wallSeconds: 'Time, in hours',
};

export function fieldsOf(budget: Budget): BudgetFields {
  const texts = measures.map((measure) => {
    const limit = budget[measure];
    return [measure, limit === null ? '' : String(limit / perUnit[measure])];
  });
  return { ...(Object.fromEntries(texts) as Record<Measure, string>), period: budget.period ?? 'day' };
}

/** The body of a request; null where every field is empty, which means no budget. */
export function bodyOfFields({ period, ...texts }: BudgetFields): SetBudget | null {
  const given = measures.filter((measure) => texts[measure].trim() !== '');
  if (given.length === 0) return null;
  const limits = given.map((measure) => [measure, Math.round(Number(texts[measure]) * perUnit[measure])]);
  return { ...(Object.fromEntries(limits) as Partial<Record<Measure, number>>), period };
}
