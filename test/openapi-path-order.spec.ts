import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';

interface Committed {
  paths: Record<string, Record<string, { tags: string[] }>>;
  tags: { name: string }[];
}

const text = readFileSync(join(import.meta.dirname, '../docs/openapi.json'), 'utf8');
const { paths, tags } = JSON.parse(text) as Committed;
const operations = Object.entries(paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    name: `${method} ${path}`,
    tag: operation.tags[0],
  })),
);
const firstOf = (tag: string) =>
  operations.filter((operation) => operation.tag === tag).map(({ name }) => name);

it('the committed OpenAPI document has its operations in the order of the areas', () => {
  const met = [...new Set(operations.map(({ tag }) => tag))];
  expect(met).toEqual(tags.map(({ name }) => name));
});

it.each([
  ['Projects', '/api/projects'],
  ['Goals', '/api/projects/{projectId}/goals'],
  ['Issues', '/api/projects/{projectId}/issues'],
  ['Comments', '/api/projects/issues/{issueId}/comments'],
  ['Agents', '/api/agents'],
  ['Users and keys', '/api/users'],
])('%s begin with their list and creation', (area, path) => {
  expect(firstOf(area).slice(0, 2)).toEqual([`get ${path}`, `post ${path}`]);
});
