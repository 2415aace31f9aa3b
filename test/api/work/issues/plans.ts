import type { Client } from 'pg';
import type { Principal } from '../../../../src/platform/authentication/principals-and-roles.js';
import { pagesOf } from '../../../support/database-of.js';
import { COUNT_LIMIT } from '../../../../src/platform/http/page-and-cursor.query.js';
import { IssueListRepository } from '../../../../src/work/issue-reading/issue-lists-and-agent-work.service.js';
import type { IssueFilter, IssueSort } from '../../../../src/work/issue-reading/issue-filter-and-order.js';

export const PAGE = 50;

interface Plan {
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  Plans?: Plan[];
}

/** The cost of a list: the rows that it returned, and the rows that were read from tables for them. */
export interface Cost {
  given: number;
  read: number;
  readOfIssues: number;
  /** Rows of the table of search words. */
  readOfWords: number;
}

/** Runs the repository's own statements under EXPLAIN (ANALYZE): a page, then its count if requested. */
export async function costsOf(
  client: Client,
  caller: Principal,
  filter: IssueFilter,
  sort: IssueSort,
  after: (string | number)[] | null = null,
  { counted = false, ranked = false } = {},
): Promise<Cost[]> {
  const costs: Cost[] = [];
  const explain = async (sql: string, parameters: unknown[]) => {
    const { rows } = await client.query(`EXPLAIN (ANALYZE, TIMING off, FORMAT json) ${sql}`, parameters);
    costs.push(costOf((rows as { 'QUERY PLAN': { Plan: Plan }[] }[])[0]!['QUERY PLAN'][0]!.Plan));
    return (await client.query(sql, parameters)).rows as unknown[];
  };
  await new IssueListRepository(pagesOf(explain)).list(
    caller,
    filter,
    sort,
    { limit: PAGE, after, countUpTo: counted ? COUNT_LIMIT + 1 : null },
    { summary: false, ranked },
  );
  return costs;
}

function costOf(plan: Plan): Cost {
  const scans = scansIn(plan);
  return {
    given: plan['Actual Rows'] * plan['Actual Loops'],
    read: sum(scans.map(readBy)),
    readOfIssues: sum(scans.filter((scan) => scan['Relation Name'] === 'issues').map(readBy)),
    readOfWords: sum(scans.filter((scan) => scan['Relation Name'] === 'issue_words').map(readBy)),
  };
}

const sum = (numbers: number[]) => Math.round(numbers.reduce((total, number) => total + number, 0));

const scansIn = (plan: Plan): Plan[] => [
  ...(plan['Relation Name'] ? [plan] : []),
  ...(plan.Plans ?? []).flatMap(scansIn),
];

const readBy = (scan: Plan) =>
  (scan['Actual Rows'] +
    (scan['Rows Removed by Filter'] ?? 0) +
    (scan['Rows Removed by Index Recheck'] ?? 0)) *
  scan['Actual Loops'];
