import { describe, expect, it } from '@jest/globals';
import type { ImportFormat } from '../import.entity.js';
import { batchesOf, surveyOf } from '../import-file.js';
import { fitItem } from './item-limits.js';
import { readRecords, type ReadRecord } from './read-records.js';

/** The bytes of a text in chunks of a size, so that every border lies in some chunk. */
async function* inChunks(text: string, size: number): AsyncGenerator<Buffer> {
  const bytes = Buffer.from(text);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function recordsIn(format: ImportFormat, text: string, size = 65_536): Promise<ReadRecord[]> {
  const records: ReadRecord[] = [];
  for await (const record of readRecords(format, inChunks(text, size))) records.push(record);
  return records;
}

const itemsIn = async (format: ImportFormat, text: string) =>
  (await recordsIn(format, text)).flatMap((record) => ('mapped' in record ? record.mapped.items : []));

// From .beads/issues.jsonl of github.com/steveyegge/beads (MIT), commit 001ae447; long descriptions are cut.
const BEADS = `{"id":"bd-7h7","title":"bd init should stop running daemon to avoid stale cache","status":"tombstone","priority":2,"issue_type":"bug","created_at":"2025-12-16T13:26:47.117226-08:00","deleted_by":"batch delete"}
{"id":"bd-pbh.19","title":"Install 0.30.4 MCP server locally","description":"Upgrade the MCP server (after PyPI publish)","status":"closed","priority":1,"issue_type":"task","created_at":"2025-12-17T21:19:11.124496-08:00","updated_at":"2025-12-17T21:46:46.372989-08:00","closed_at":"2025-12-17T21:46:46.372989-08:00","dependencies":[{"issue_id":"bd-pbh.19","depends_on_id":"bd-pbh","type":"parent-child","created_at":"2025-12-17T21:19:11.124829-08:00","created_by":"daemon"},{"issue_id":"bd-pbh.19","depends_on_id":"bd-pbh.14","type":"blocks","created_at":"2025-12-17T21:19:11.343558-08:00","created_by":"daemon"}]}
{"id":"bd-mql4","title":"getLocalSyncBranch silently ignores YAML parse errors","description":"In autoimport.go:170-172, YAML parsing errors are silently ignored.","status":"open","priority":4,"issue_type":"task","created_at":"2025-12-07T02:03:44.217728-08:00","updated_at":"2025-12-07T02:03:44.217728-08:00"}
`;

describe('Beads', () => {
  it('maps status, priority, type, times, parent and blocker of its own file, and counts what was deleted there', async () => {
    const [deleted, done, open] = await recordsIn('beads', BEADS);
    expect(deleted).toEqual({ line: 1, mapped: { items: [], ignored: ['tombstone'] } });
    expect(done).toMatchObject({
      line: 2,
      mapped: {
        ignored: [],
        items: [
          {
            kind: 'issue',
            externalId: 'beads:bd-pbh.19',
            status: 'Resolved',
            priority: 'high',
            labels: ['task'],
            createdAt: '2025-12-18T05:19:11.124Z',
            resolvedAt: '2025-12-18T05:46:46.372Z',
          },
          {
            linkType: 'Child',
            source: 'beads:bd-pbh.19',
            target: 'beads:bd-pbh',
            createdBy: { name: 'daemon' },
          },
          { linkType: 'Blocks', source: 'beads:bd-pbh.14', target: 'beads:bd-pbh.19' },
        ],
      },
    });
    expect(open).toMatchObject({
      mapped: { items: [{ status: 'Open', priority: 'none', resolvedAt: null }] },
    });
  });

  it('keeps its long texts as sections and its comments, and counts fields that have no place', async () => {
    const issue = {
      id: 'bd-1',
      title: 'x',
      description: 'first',
      design: 'second',
      acceptance_criteria: 'third',
      status: 'in_progress',
      assignee: 'ada',
      estimated_minutes: 30,
      dependencies: [{ depends_on_id: 'bd-2', type: 'waits-for' }],
      comments: [{ id: 7, author: 'ada', text: 'hello', created_at: '2026-01-02T03:04:05Z' }],
    };
    expect((await recordsIn('beads', JSON.stringify(issue)))[0]).toMatchObject({
      mapped: {
        ignored: ['estimated_minutes', 'dependency of the type waits-for'],
        items: [
          {
            description: 'first\n\n## Design\n\nsecond\n\n## Acceptance criteria\n\nthird',
            status: 'InProgress',
            priority: 'urgent',
            agent: 'ada',
          },
          {
            kind: 'comment',
            externalId: 'beads:bd-1/comments/7',
            content: 'hello',
            createdAt: '2026-01-02T03:04:05.000Z',
          },
        ],
      },
    });
  });
});

// The example of "List repository issues" in docs.github.com/en/rest/issues/issues, without addresses that nothing reads.
const REST = JSON.stringify([
  {
    id: 1,
    html_url: 'https://github.com/octocat/Hello-World/issues/1347',
    number: 1347,
    state: 'open',
    title: 'Found a bug',
    body: "I'm having a problem with this.",
    user: { login: 'octocat', id: 1 },
    labels: [{ id: 208045946, name: 'bug', color: 'f29513' }],
    assignee: { login: 'octocat' },
    assignees: [{ login: 'octocat' }, { login: 'hubot' }],
    milestone: { number: 1, title: 'v1.0', description: 'Tracking milestone for version 1.0' },
    locked: true,
    comments: 2,
    pull_request: null,
    closed_at: null,
    created_at: '2011-04-22T13:33:48Z',
    updated_at: '2011-04-22T13:33:48Z',
    state_reason: null,
  },
  { number: 3, title: 'A pull request', state: 'open', pull_request: { url: 'https://api.github.com/x' } },
]);

// The fields that `gh issue list --json` of github.com/cli/cli offers.
const GH = JSON.stringify([
  {
    number: 7,
    url: 'https://github.com/octocat/Hello-World/issues/7',
    title: 'Drop it',
    body: '',
    state: 'CLOSED',
    stateReason: 'NOT_PLANNED',
    author: { login: 'hubot', is_bot: true },
    labels: [{ id: 'L1', name: 'priority: high', color: 'ff0000' }],
    assignees: [],
    milestone: null,
    comments: [
      {
        id: 'IC_1',
        author: { login: 'octocat' },
        body: 'No.',
        createdAt: '2024-05-06T07:08:09Z',
        isMinimized: false,
      },
    ],
    createdAt: '2024-05-01T00:00:00Z',
    updatedAt: '2024-05-06T07:08:10Z',
    closedAt: '2024-05-06T07:08:10Z',
  },
]);

describe('GitHub', () => {
  it('maps the form of the REST API: the milestone is a goal, a pull request is nothing', async () => {
    const [issue, pull] = await recordsIn('github', REST);
    expect(issue).toMatchObject({
      mapped: {
        items: [
          { kind: 'goal', externalId: 'github:octocat/Hello-World/milestones/1', title: 'v1.0' },
          {
            kind: 'issue',
            externalId: 'github:octocat/Hello-World#1347',
            status: 'Open',
            labels: ['bug'],
            goal: 'github:octocat/Hello-World/milestones/1',
            assignee: 'octocat',
            createdBy: { type: 'user', name: 'octocat' },
            createdAt: '2011-04-22T13:33:48.000Z',
          },
        ],
        ignored: ['locked', 'further assignee hubot', 'comments, which the REST API lists apart'],
      },
    });
    expect(pull).toMatchObject({ mapped: { items: [], ignored: ['pull request'] } });
  });

  it('maps the form of gh: what is not planned is Closed, a label names the priority, comments come with the issue', async () => {
    expect(await itemsIn('github', GH)).toMatchObject([
      {
        externalId: 'github:octocat/Hello-World#7',
        status: 'Closed',
        priority: 'high',
        labels: ['priority: high'],
        closedAt: '2024-05-06T07:08:10.000Z',
        resolvedAt: null,
      },
      { kind: 'comment', externalId: 'github:octocat/Hello-World#7/comments/IC_1', content: 'No.' },
    ]);
  });

  it.each([1, 2, 3, 7, 64, 4096])('finds the same objects in chunks of %d bytes', async (size) => {
    const tricky = JSON.stringify({
      number: 9,
      url: 'https://github.com/octocat/Hello-World/issues/9',
      title: 'a "}{" \\ [',
      state: 'open',
      body: '}\\"{',
      labels: [{}],
    });
    const text = `[${tricky},\n${tricky}]\n[]\n[ ${tricky} ]`;
    const records = await recordsIn('github', text, size);
    expect(records.map(({ line }) => line)).toEqual([1, 2, 4]);
    expect(records.every((record) => 'mapped' in record)).toBe(true);
  });

  it('names what is no array of objects, and an end in the middle', async () => {
    expect(await recordsIn('github', 'hello [{"number":1,"title":"x","state":"open"')).toEqual([
      { line: 1, error: 'is not part of a JSON array of objects' },
      { line: 1, error: 'ends in the middle of an object' },
    ]);
  });
});

describe('lines', () => {
  it.each([1, 5, 65_536])('keep their numbers and their UTF-8 in chunks of %d bytes', async (size) => {
    const issue = { kind: 'issue', externalId: 'x', title: 'häß 😀', status: 'Open' };
    const records = await recordsIn(
      'awp',
      `\uFEFF${JSON.stringify(issue)}\n\n{]\r\n[1]\n{"kind":"nothing"}`,
      size,
    );
    expect(records).toMatchObject([
      { line: 1, mapped: { items: [{ title: 'häß 😀' }] } },
      { line: 3, error: 'is not valid JSON' },
      { line: 4, error: 'is not a JSON object' },
      { line: 5, error: 'has the unknown kind "nothing"' },
    ]);
  });

  it('leave out a record that is too long, and read the next one', async () => {
    const long = JSON.stringify({ kind: 'end', x: 'x'.repeat(17 * 1024 * 1024) });
    expect(await recordsIn('awp', `${long}\n{"kind":"end"}\n`)).toMatchObject([
      { line: 1, error: expect.stringContaining('bytes') },
      { line: 2, mapped: { items: [] } },
    ]);
  });
});

describe('what can be stored', () => {
  it('is within the limits of this service, and the report says what was cut', () => {
    const issue = {
      kind: 'issue' as const,
      externalId: 'x',
      title: ` a${'😀'.repeat(600)}`,
      description: 'ü'.repeat(40_000),
      status: 'Open' as const,
      paused: false,
      priority: 'none' as const,
      agent: null,
      assignee: null,
      goal: null,
      labels: ['Bug', 'bug', 'x'.repeat(65), ...Array.from({ length: 55 }, (_, at) => `l${at}`)],
      createdBy: { type: 'user' as const, name: 'x' },
      createdAt: null,
      updatedAt: null,
      startedAt: null,
      resolvedAt: null,
      closedAt: null,
    };
    const { item, changes } = fitItem(issue);
    if (item?.kind !== 'issue') throw new Error('no issue');
    expect([...item.title]).toHaveLength(500);
    expect(item.title.startsWith('a😀')).toBe(true);
    expect(Buffer.byteLength(item.description)).toBeLessThanOrEqual(65_536);
    expect(item.labels).toHaveLength(50);
    expect(changes).toEqual([
      'title cut to 500 characters',
      'description cut to 65536 bytes',
      'label left out: its name has not 1 to 64 characters',
      '6 labels left out: an issue has at most 50',
    ]);
  });
});

describe('a file', () => {
  const line = (at: number) => JSON.stringify({ id: `bd-${at}`, title: 'x', status: 'open', issue_type: '' });
  const file = Array.from({ length: 450 }, (_, at) => line(at)).join('\n');

  it('is read in batches of whole records, and again from any place', async () => {
    const ends: number[] = [];
    const ids: string[] = [];
    let from = 0;
    for await (const batch of batchesOf('beads', inChunks(file, 1000), 0, from)) {
      ends.push(batch.end);
      from = batch.end;
      ids.push(...batch.items.map(({ item }) => ('externalId' in item ? item.externalId : '')));
    }
    expect(ends).toEqual([200, 400, 450]);
    expect(new Set(ids).size).toBe(450);
    const rest: number[] = [];
    for await (const batch of batchesOf('beads', inChunks(file, 1000), 0, 400)) rest.push(batch.items.length);
    expect(rest).toEqual([50]);
  });

  it('is surveyed without writing: how many objects, what has no place, and who is named', async () => {
    expect(await surveyOf('beads', inChunks(BEADS, 100))).toMatchObject({
      total: 4,
      skipped: 0,
      failure: null,
      ignored: new Map([['tombstone', 1]]),
    });
    expect((await surveyOf('github', inChunks('x', 10))).failure).toContain('can be read as github');
  });
});
