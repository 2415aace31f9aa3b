import { beforeAll, describe, expect, it } from '@jest/globals';
import type { GraphResponse } from '../../../src/work/issue-reading/graph.dto.js';
import { aLink, anIssue, aProject, type Issue, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor, asViewer } from '../../support/callers.js';
import { useService } from '../../support/service.js';
import type { Wire } from '../../support/wire.js';
import { expectInvalidPaths, expectSuccess, put } from './issues/issue-requests.js';

type Graph = Wire<GraphResponse>;

const service = useService();
let [editor, viewer]: Caller[] = [];
/** A chain `c0` blocks `c1` blocks … `c4`, and a fan: `hub` blocks three leaves and `c4`. */
let project: Project;
let chain: Issue[];
let [hub, ...leaves]: Issue[] = [];
beforeAll(async () => {
  [editor, viewer] = await Promise.all([asEditor(service), asViewer(service)]);
  project = await aProject(editor);
  chain = await someIssues(5);
  [hub, ...leaves] = await someIssues(4);
  for (const [at, issue] of chain.slice(1).entries()) await aLink(editor, chain[at]!, issue);
  for (const leaf of [...leaves, chain[4]!]) await aLink(editor, hub!, leaf);
  await aLink(editor, chain[1]!, chain[2]!, 'RelatedTo');
});

async function someIssues(count: number): Promise<Issue[]> {
  const made: Issue[] = [];
  while (made.length < count) made.push(await anIssue(editor!, project));
  return made;
}

async function graph(query = '', caller = viewer!, place: { id: string } = project): Promise<Graph> {
  const answer = await caller.get<Graph>(`/api/projects/${place.id}/graph${query}`);
  expect(answer).toMatchObject({ status: 200 });
  return answer.body;
}
const keysOf = ({ nodes }: Graph) => nodes.map(({ key }) => key).toSorted();
const keys = (...issues: (Issue | undefined)[]) => issues.map((issue) => issue!.key).toSorted();
const hiddenOf = ({ nodes }: Graph, issue: Issue) => nodes.find(({ id }) => id === issue.id)?.hidden;

describe('the graph around a focus', () => {
  it('has the issues within the depth, with summary, why and the links between them', async () => {
    const found = await graph(`?focus=${chain[1]!.key}&depth=1`);
    expect(keysOf(found)).toEqual(keys(...chain.slice(0, 3)));
    expect(found.nodes[0]!.key).toBe(chain[1]!.key);
    expect(found.nodes[0]!.why).toMatchObject({
      reason: 'waiting',
      waitsFor: [{ type: 'issue', id: chain[0]!.id, label: chain[0]!.key }],
    });
    const ends = found.edges.map(({ source, target, linkType }) => [source, target, linkType]);
    expect(ends).toEqual([
      [chain[0]!.id, chain[1]!.id, 'Blocks'],
      [chain[1]!.id, chain[2]!.id, 'Blocks'],
      [chain[1]!.id, chain[2]!.id, 'RelatedTo'],
    ]);
    expect(found.truncated).toBe(false);
    const [summary] = (
      await viewer!.get<Issue[]>(
        `/api/projects/${project.id}/issues?fields=summary,why&q=${chain[1]!.title.split(' ')[1]}`,
      )
    ).body;
    expect(found.nodes[0]).toEqual({ ...summary, hidden: 0 });
  });

  it('goes both ways, and counts what it hides', async () => {
    const near = await graph(`?focus=${chain[2]!.id}&depth=2`);
    expect(keysOf(near)).toEqual(keys(...chain));
    expect(chain.map((issue) => hiddenOf(near, issue))).toEqual([0, 0, 0, 0, 1]);
    expect(keysOf(await graph(`?focus=${chain[2]!.id}&depth=3`))).toEqual(keys(...chain, hub));
    expect(keysOf(await graph(`?focus=${chain[2]!.id}&depth=4`))).toEqual(keys(...chain, hub, ...leaves));
  });

  it('stops at the limit, says so, and takes what blocks first', async () => {
    const found = await graph(`?focus=${chain[2]!.id}&depth=6&limit=2`);
    expect(found.truncated).toBe(true);
    expect(keysOf(found)).toEqual(keys(chain[2], chain[1]));
    expect(hiddenOf(found, chain[2]!)).toBe(1);
    expect((await graph(`?focus=${chain[2]!.id}&depth=6&limit=9`)).truncated).toBe(false);
  });
});

describe('the graph without a focus', () => {
  it('has the waiting issues and what blocks them, the most dependents first', async () => {
    await anIssue(editor!, project);
    const found = await graph();
    expect(keysOf(found)).toEqual(keys(...chain, hub, ...leaves));
    expect(found.nodes[0]!.id).toBe(hub!.id);
    const first = await graph('?limit=1');
    expect(first).toMatchObject({ truncated: true, edges: [] });
    expect(hiddenOf(first, hub!)).toBe(4);
  });
});

describe('finished issues', () => {
  it('are left out and lead nowhere, unless done=true; the focus is always there', async () => {
    const place = await aProject(editor!);
    const [first, second, third] = [
      await anIssue(editor!, place),
      await anIssue(editor!, place),
      await anIssue(editor!, place),
    ];
    await aLink(editor!, first, second);
    await aLink(editor!, second, third);
    await expectSuccess(put(editor!, first, { status: 'Resolved' }));
    await expectSuccess(put(editor!, second, { status: 'Resolved' }));
    const around = (query: string) => graph(query, viewer, place);
    expect(keysOf(await around(`?focus=${third.id}&depth=6`))).toEqual(keys(third));
    expect(hiddenOf(await around(`?focus=${third.id}&depth=6`), third)).toBe(1);
    expect(keysOf(await around(`?focus=${third.id}&depth=6&done=true`))).toEqual(keys(first, second, third));
    expect(keysOf(await around(`?focus=${second.id}`))).toEqual(keys(second, third));
    expect(keysOf(await around(''))).toEqual([]);
    expect(keysOf(await around('?done=true'))).toEqual(keys(first, second, third));
  });
});

describe('the graph', () => {
  it('includes issues of other open projects, and only for callers who see the project', async () => {
    const [other, closed] = [await aProject(editor!), await aProject(editor!, { visibility: 'members' })];
    const [here, there] = [await anIssue(editor!, other), await anIssue(editor!, project)];
    await aLink(editor!, there, here);
    expect(keysOf(await graph('', viewer, other))).toEqual(keys(here, there));
    expect(keysOf(await graph(`?focus=${here.id}`, viewer, other))).toEqual(keys(here, there));
    const [one, two] = [await anIssue(editor!, closed), await anIssue(editor!, closed)];
    await aLink(editor!, one, two);
    expect(keysOf(await graph('', editor, closed))).toEqual(keys(one, two));
    for (const stranger of [viewer!, await asAgent(service)]) {
      expect((await stranger.get(`/api/projects/${closed.id}/graph`)).status).toBe(404);
      await expectInvalidPaths(stranger.get(`/api/projects/${project.id}/graph?focus=${one.key}`), 'focus');
    }
  });

  it.each([
    ['focus=NOWHERE-1', 'focus'],
    ['focus=x', 'focus'],
    ['depth=0', 'depth'],
    ['depth=7', 'depth'],
    ['limit=0', 'limit'],
    ['limit=501', 'limit'],
    ['done=yes', 'done'],
    ['cursor=x', 'cursor'],
  ])('returns 400 for %s', async (query, path) => {
    await expectInvalidPaths(viewer!.get(`/api/projects/${project.id}/graph?${query}`), path);
  });

  it('takes a focus of this project only', async () => {
    const other = await aProject(editor!);
    await expectInvalidPaths(viewer!.get(`/api/projects/${other.id}/graph?focus=${hub!.id}`), 'focus');
  });
});
