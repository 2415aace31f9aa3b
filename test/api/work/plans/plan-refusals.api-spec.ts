import { beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Issue, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asEditor } from '../../../support/callers.js';
import { refused } from '../../../support/refusal.js';
import { useService } from '../../../support/service.js';
import type { Loose } from '../../../support/wire.js';
import { aLayeredPlan, contentOf, plan, type Planned } from './plan-requests.js';

const service = useService();
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor);
});

const UNKNOWN = '0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9aff';
const issuesOf = async (place: { id: string }) =>
  (await editor.get<Issue[]>(`/api/projects/${place.id}/issues?sort=createdAt`)).body;

describe('a plan is refused as a whole, at the place,', () => {
  const blocked = (...blockedBy: unknown[]): Planned[] => [{ ref: 'a' }, { ref: 'b', blockedBy }];
  it.each<[string, Planned[], string]>([
    ['for no issue', [], 'issues'],
    ['for 501 issues', aLayeredPlan(501, 1, 0), 'issues'],
    ['for more than 5,000 blockers', aLayeredPlan(500, 11, 11), 'issues'],
    ['without a ref', [{ ref: undefined as never, title: 'x' }], 'issues[0].ref'],
    ['for an empty ref', [{ ref: '', title: 'x' }], 'issues[0].ref'],
    ['for a ref of 65 characters', [{ ref: 'r'.repeat(65) }], 'issues[0].ref'],
    ['for a ref that is used', [{ ref: 'a' }, { ref: 'a' }], 'issues[1].ref'],
    ['for an empty title', [{ ref: 'a', title: '' }], 'issues[0].title'],
    ['for an unknown field', [{ ref: 'a' }, { ref: 'b', color: 'red' }], 'issues[1].color'],
    [
      'for the field of a single creation',
      [{ ref: 'a', blockedByIssueId: null }],
      'issues[0].blockedByIssueId',
    ],
    ['for an unknown priority', [{ ref: 'a', priority: 'highest' }], 'issues[0].priority'],
    ['for blockers that are no list', [{ ref: 'a', blockedBy: 'b' }], 'issues[0].blockedBy'],
    ['for a blocker that is no text', blocked('a', 7), 'issues[1].blockedBy[1]'],
    ['for a list as blocker', blocked(['a']), 'issues[1].blockedBy[0]'],
    ['for an unknown blocker', blocked('a', UNKNOWN), 'issues[1].blockedBy[1]'],
    ['for an unknown key', blocked('NOPE-9'), 'issues[1].blockedBy[0]'],
    ['for itself as blocker', blocked('b'), 'issues[1].blockedBy[0]'],
    ['for a blocker twice', blocked('a', 'a'), 'issues[1].blockedBy[1]'],
    [
      'for an unknown agent in its last issue',
      [{ ref: 'a' }, { ref: 'b', assignedAgentId: UNKNOWN }],
      'issues[1].assignedAgentId',
    ],
    ['for an unknown user', [{ ref: 'a', assigneeUserId: 'x' }], 'issues[0].assigneeUserId'],
    ['for an unknown label', [{ ref: 'a' }, { ref: 'b', labels: ['nope'] }], 'issues[1].labels[0]'],
    ['for labels that are no list', [{ ref: 'a', labels: 'nope' }], 'issues[0].labels'],
    ['for a label that is no text', [{ ref: 'a', labels: [7] }], 'issues[0].labels[0]'],
    [
      'for more labels than a project has',
      Array.from({ length: 11 }, (_, at) => ({
        ref: `${at}`,
        labels: Array.from({ length: 50 }, (__, n) => `${at} ${n}`),
      })),
      'issues',
    ],
    ['for an unknown goal', [{ ref: 'a', goalId: UNKNOWN }], 'issues[0].goalId'],
  ])('%s', async (_, issues, path) => {
    const before = await contentOf(service, project);
    expect(await plan(editor, project, issues)).toMatchObject(refused(400, 'validation_failed', path));
    expect(await contentOf(service, project)).toEqual(before);
  });

  it('with one row for each error', async () => {
    const issues = [
      { ref: 'a', goalId: UNKNOWN, blockedBy: ['x', 'a'] },
      { ref: 'b', assignedAgentId: UNKNOWN },
    ];
    expect(await plan(editor, project, issues)).toMatchObject(
      refused(
        400,
        'validation_failed',
        'issues[0].blockedBy[0]',
        'issues[0].blockedBy[1]',
        'issues[0].goalId',
        'issues[1].assignedAgentId',
      ),
    );
  });

  it('for a blocker that the caller cannot see, as for an unknown one', async () => {
    const hidden = await aProject(service.owner, { visibility: 'members' });
    const behind = await anIssue(service.owner, hidden);
    expect(await plan(editor, project, [{ ref: 'a', blockedBy: [behind.key] }])).toMatchObject(
      refused(400, 'validation_failed', 'issues[0].blockedBy[0]'),
    );
  });

  it('for a cycle, with its refs', async () => {
    const { status, body } = await plan(editor, project, [
      { ref: 'd', blockedBy: ['b'] },
      { ref: 'a', blockedBy: ['c'] },
      { ref: 'b', blockedBy: ['a'] },
      { ref: 'c', blockedBy: ['b'] },
    ]);
    const { code, path, errors, detail } = body as unknown as Loose & { path: { ref: string }[] };
    expect({ status, code }).toEqual({ status: 409, code: 'dependency_cycle' });
    const refs = path.map(({ ref }) => ref);
    expect(refs.at(-1)).toBe(refs[0]);
    expect(`${refs.join('')}${refs.slice(1).join('')}`).toContain('abca');
    expect(detail).toContain(refs.join(' → '));
    expect(errors).toEqual([
      { path: expect.stringMatching(/^issues\[[123]\]\.blockedBy\[0\]$/), message: 'closes a cycle' },
    ]);
  });

  it('for a blocker across the boundary of a members-only project', async () => {
    const closed = await aProject(editor, { visibility: 'members' });
    const [outside, behind] = [await anIssue(editor, project), await anIssue(editor, closed)];
    for (const dryRun of [true, false]) {
      expect(
        await plan(editor, closed, [{ ref: 'a', blockedBy: [behind.id, outside.id] }], { dryRun }),
      ).toMatchObject(refused(409, 'cross_project_link', 'issues[0].blockedBy[1]'));
      expect(
        await plan(editor, project, [{ ref: 'a' }, { ref: 'b', blockedBy: [behind.key] }], { dryRun }),
      ).toMatchObject(refused(409, 'cross_project_link', 'issues[1].blockedBy[0]'));
    }
    expect(await issuesOf(closed)).toHaveLength(1);
  });

  it('for a link above the 2,000 of a blocker', async () => {
    const hub = await anIssue(editor, project);
    await service.sql(
      `WITH made AS (INSERT INTO issues (id, project_id, number, title, status, created_by_type, created_by_name)
         SELECT gen_random_uuid(), $1, 500000 + n, 'Issue', 'Open', 'system', 'test' FROM generate_series(1, 1998) AS n RETURNING id)
       INSERT INTO issue_links (id, source_issue_id, target_issue_id, link_type, created_by_type, created_by_name)
       SELECT gen_random_uuid(), $2, id, 'RelatedTo', 'system', 'test' FROM made`,
      [project.id, hub.id],
    );
    const three = ['a', 'b', 'c'].map((ref) => ({ ref, blockedBy: [hub.id] }));
    expect(await plan(editor, project, three)).toMatchObject(
      refused(409, 'link_limit', 'issues[2].blockedBy[0]'),
    );
    expect((await plan(editor, project, three.slice(0, 2))).status).toBe(201);
  });

  it('and uses no number: the next issue follows the last one', async () => {
    const place = await aProject(editor);
    await anIssue(editor, place);
    await plan(editor, place, [{ ref: 'a' }, { ref: 'b', goalId: UNKNOWN }]);
    await plan(editor, place, [{ ref: 'a' }], { dryRun: true });
    expect((await anIssue(editor, place)).key).toBe(`${place.key}-2`);
  });
});
