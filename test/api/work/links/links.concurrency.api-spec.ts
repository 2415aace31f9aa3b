import { afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import { aLink, anIssue, aProject, type Issue, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asEditor } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import {
  expectNoServerErrors,
  howMany,
  inBatches,
  countByStatus,
  upTo,
} from '../issues/concurrent-requests.js';
import { expectInvariants } from '../issues/invariants.js';
import { link, read } from '../issues/issue-requests.js';

// At full size a test sends thousands of requests.
jest.setTimeout(600_000);

const service = useService();
let here: Caller;
let there: Caller;
let project: Project;
beforeAll(async () => {
  here = await asEditor(service);
  there = here.at(await service.second());
  project = await aProject(here);
});
afterEach(() => expectInvariants(service));

const some = (count: number, place = project) => Promise.all(upTo(count).map(() => anIssue(here, place)));
const side = (number: number) => (number % 2 ? here : there);

describe('links that together close a cycle', () => {
  it.each([2, 3, 4, 5, 6])(
    'of %i issues and are created concurrently: one is rejected with the path of the cycle',
    async (length) => {
      await inBatches(howMany(4, 40), 2, async () => {
        const issues = await some(length);
        const answers = await Promise.all(
          issues.map((issue, at) => {
            const next = issues[(at + 1) % length]!;
            return at % 3 === 2
              ? link(side(at), next, 'BlockedBy', issue)
              : link(side(at), issue, 'Blocks', next);
          }),
        );
        expect(countByStatus(answers)).toEqual({ 201: length - 1, 409: 1 });
        const refusal = answers.find(({ status }) => status === 409)!.body;
        expect(refusal['code']).toBe('dependency_cycle');
        expect(new Set((refusal['path'] as unknown as Issue[]).map(({ id }) => id))).toEqual(
          new Set(issues.map(({ id }) => id)),
        );
      });
    },
  );

  it('and of which some come with a new issue: one is rejected', async () => {
    await inBatches(howMany(6, 60), 3, async () => {
      const [blocker, other] = (await some(2)) as [Issue, Issue];
      const answers = await Promise.all([
        here.post(`/api/projects/${project.id}/issues`, { title: 'New', blockedByIssueId: other.id }),
        link(there, blocker, 'Blocks', other),
        link(here, other, 'Blocks', blocker),
      ]);
      expect(countByStatus(answers)).toEqual({ 201: 2, 409: 1 });
    });
  });
});

describe('the same link in concurrent requests', () => {
  it.each(['Blocks', 'RelatedTo', 'DuplicateOf'])('is created once (%s)', async (linkType) => {
    await inBatches(howMany(4, 20), 2, async () => {
      const [one, other] = (await some(2)) as [Issue, Issue];
      const turned = linkType === 'Blocks' ? 'BlockedBy' : linkType;
      const answers = await Promise.all(
        upTo(8).map((number) =>
          number % 2 && linkType !== 'DuplicateOf'
            ? link(side(number >> 1), other, turned, one)
            : link(side(number >> 1), one, linkType, other),
        ),
      );
      expect(countByStatus(answers)).toEqual({ 201: 1, 409: 7 });
      expect((await read(here, one)).links).toHaveLength(1);
    });
  });

  it('is removed once', async () => {
    const [one, other] = (await some(2)) as [Issue, Issue];
    const { id } = await aLink(here, one, other);
    expect(
      countByStatus(
        await Promise.all(upTo(10).map((number) => side(number).delete(`/api/projects/links/${id}`))),
      ),
    ).toEqual({ 204: 1, 404: 9 });
    expect((await read(here, other)).status).toBe('Open');
  });

  it('is limited to 2,000 per issue, even when they arrive together at the limit', async () => {
    const [hub] = (await some(1)) as [Issue];
    await service.sql(
      `WITH made AS (INSERT INTO issues (id, project_id, number, title, status, created_by_type, created_by_name)
         SELECT gen_random_uuid(), $1, 500000 + n, 'Issue', 'Open', 'system', 'test' FROM generate_series(1, 1997) AS n RETURNING id)
       INSERT INTO issue_links (id, source_issue_id, target_issue_id, link_type, created_by_type, created_by_name)
       SELECT gen_random_uuid(), $2, id, 'RelatedTo', 'system', 'test' FROM made`,
      [project.id, hub.id],
    );
    const others = await some(8);
    expect(
      countByStatus(
        await Promise.all(others.map((other, number) => link(side(number), hub, 'RelatedTo', other))),
      ),
    ).toEqual({ 201: 3, 409: 5 });
  });
});

it('a project that becomes members-only never keeps links to other projects that are created meanwhile', async () => {
  const outcomes = await inBatches(howMany(6, 80), 2, async (round) => {
    const [inner, outer] = await Promise.all([aProject(here), aProject(here)]);
    const [inside, outside] = [await some(4, inner), await some(4, outer)];
    const links = inside.map((issue, at) =>
      at === 3
        ? there.post(`/api/projects/${inner.id}/issues`, { title: 'New', blockedByIssueId: outside[3]!.id })
        : link(side(at), issue, at % 2 ? 'RelatedTo' : 'BlockedBy', outside[at]!),
    );
    const wall = side(round).put(`/api/projects/${inner.id}`, { visibility: 'members' });
    const answers = await Promise.all([...links, wall]);
    expectNoServerErrors(answers);
    const made = answers.slice(0, -1).filter(({ status }) => status === 201).length;
    return answers.at(-1)!.status === 200 ? made === 0 : made > 0;
  });
  expect(new Set(outcomes)).toEqual(new Set([true]));
});
