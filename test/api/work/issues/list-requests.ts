import { expect } from '@jest/globals';
import type { Issue, Project } from '../../../support/builders.js';
import type { Answer } from '../../../support/answer.js';
import type { Caller } from '../../../support/caller.js';

/** The path of the list of one project, or of all projects (null). */
export const pathOfList = (project: Project | null) =>
  project ? `/api/projects/${project.id}/issues` : '/api/projects/issues';

export async function listed(caller: Caller, project: Project | null, query = ''): Promise<Issue[]> {
  const answer = await caller.get<Issue[]>(`${pathOfList(project)}${query}`);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}

export const idsOf = (issues: { id: string }[]) => issues.map(({ id }) => id);

/** Returns the path of the next page, or null on the last one. */
export function nextOf({ headers }: Answer<unknown>): string | null {
  const target = /^<([^>]+)>; rel="next"$/.exec(headers['link'] ?? '')?.[1];
  return target?.replace(/^https?:\/\/[^/]+/, '') ?? null;
}

/** Reads all pages by following `Link`, as a client does. */
export async function readAllPages(caller: Caller, path: string): Promise<Issue[][]> {
  const pages: Issue[][] = [];
  for (let next: string | null = path; next !== null;) {
    const answer: Answer<Issue[]> = await caller.get<Issue[]>(next);
    expect(answer).toMatchObject({ status: 200 });
    pages.push(answer.body);
    next = nextOf(answer);
  }
  return pages;
}
