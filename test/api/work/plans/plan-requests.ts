import type { Answer } from '../../../support/answer.js';
import { type Issue } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import type { Service } from '../../../support/service.js';

/** An issue of a plan as tests write it: its title is its ref unless given. */
export interface Planned {
  ref: string;
  blockedBy?: unknown;
  [field: string]: unknown;
}

/** The response of both forms of the request. */
export interface Plan {
  issues: { ref: string; id: string; key: string; status: Issue['status'] }[];
  order: string[];
  critical: string[];
}

export const plan = (
  caller: Caller,
  project: { id: string },
  issues: Planned[],
  { dryRun, headers }: { dryRun?: boolean; headers?: Record<string, string> } = {},
): Promise<Answer<Plan>> =>
  caller.post<Plan>(
    `/api/projects/${project.id}/plans`,
    { issues: issues.map((issue) => ({ title: issue.ref, ...issue })), ...(dryRun && { dryRun }) },
    { headers },
  );

/** The tables that the service writes on its own, or in batches some time after a request. */
const OF_THE_SERVICE = /^(chores|journal_months|archived_months|usage_.*|tool_calls.*|access_refusals)$/;

/** Returns the number of rows of each table, and the last number that the project has given to an issue. */
export async function contentOf(service: Service, project: { id: string }): Promise<Record<string, number>> {
  const tables = (await service.sql<{ name: string }>(
    `SELECT tablename AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  )) as { name: string }[];
  const names = tables.map(({ name }) => name).filter((name) => !OF_THE_SERVICE.test(name));
  const counts = names.map((name) => `SELECT '${name}' AS name, count(*)::int AS rows FROM "${name}"`);
  const [rows, [{ last }]] = (await Promise.all([
    service.sql(counts.join(' UNION ALL ')),
    service.sql('SELECT last_issue_number AS last FROM projects WHERE id = $1', [project.id]),
  ])) as [{ name: string; rows: number }[], [{ last: number }]];
  return { ...Object.fromEntries(rows.map((row) => [row.name, row.rows])), last };
}

/** Returns a plan of so many issues in rows of `width`, each blocked by `holders` of the row before. */
export function aLayeredPlan(count: number, width: number, holders: number): Planned[] {
  return Array.from({ length: count }, (_, at) => {
    const row = at - (at % width) - width;
    const before = row < 0 ? [] : Array.from({ length: holders }, (__, n) => `i${row + ((at + n) % width)}`);
    return { ref: `i${at}`, blockedBy: before };
  });
}
