import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../api/client';
import { keys } from '../../api/keys';
import type { Issue } from '../../api/types';

export type FoundIssue = Pick<Issue, 'id' | 'key' | 'title' | 'status' | 'assignee'>;

/** The service answers so few with the best matches first. */
const SHOWN = 8;

const QUERY = { sort: '-updatedAt', fields: 'summary', limit: SHOWN } as const;

/**
 * The issues of all projects that match best: by key, by title, by text. A number is also that of an issue of the project
 * that the person is in. Answers for what is no longer typed are dropped.
 */
export const foundIssuesQuery = (q: string, projectId: string | null) =>
  queryOptions({
    queryKey: [...keys.issueLists, 'found', q, projectId],
    queryFn: async ({ signal }): Promise<FoundIssue[]> => {
      const everywhere = bodyOf(
        api.GET('/api/projects/issues', { params: { query: { ...QUERY, q } }, signal }),
      );
      const here =
        projectId !== null && /^\d+$/.test(q)
          ? bodyOf(
              api.GET('/api/projects/{projectId}/issues', {
                params: { path: { projectId }, query: { ...QUERY, q } },
                signal,
              }),
            )
          : null;
      return withoutRepeats([...((await here) ?? []), ...((await everywhere) ?? [])]).slice(0, SHOWN);
    },
  });

const withoutRepeats = (issues: readonly FoundIssue[]): FoundIssue[] => [
  ...new Map(issues.map((issue) => [issue.key, issue])).values(),
];
