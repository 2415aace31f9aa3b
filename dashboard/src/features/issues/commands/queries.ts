import { queryOptions } from '@tanstack/react-query';
import { api, bodyOf } from '../../../api/client';
import { keys } from '../../../api/keys';
import { Problem } from '../../../api/problem';
import type { Issue } from '../../../api/types';

export type Blocker = Pick<Issue, 'id' | 'key' | 'title' | 'status'>;

const SHOWN = 20;
const KEY = /^[A-Za-z][A-Za-z0-9]*-\d+$/;

/** Unfinished issues that can block another: of its project by words, of any project by their whole key. */
export const blockersQuery = (projectId: string, query: string) =>
  queryOptions({
    queryKey: [...keys.issueLists, projectId, 'blockers', query.trim()],
    queryFn: () =>
      KEY.test(query.trim()) ? byKey(query.trim().toUpperCase()) : byWords(projectId, query.trim()),
  });

async function byKey(issueId: string): Promise<Blocker[]> {
  try {
    const issue = await bodyOf(api.GET('/api/projects/issues/{issueId}', { params: { path: { issueId } } }));
    return issue === undefined ? [] : [issue];
  } catch (error) {
    if (error instanceof Problem && error.status === 404) return [];
    throw error;
  }
}

const byWords = async (projectId: string, q: string): Promise<Blocker[]> =>
  (await bodyOf(
    api.GET('/api/projects/{projectId}/issues', {
      params: {
        path: { projectId },
        query: {
          ...(q === '' ? {} : { q }),
          status: 'Open,InProgress,WaitingOnDependency,PendingReview',
          sort: '-updatedAt',
          fields: 'summary',
          limit: SHOWN,
        },
      },
    }),
  )) ?? [];
