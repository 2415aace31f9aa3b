import { beforeAll, describe, expect, it } from '@jest/globals';
import { aProject, type Project } from '../../support/builders.js';
import type { Answer } from '../../support/answer.js';
import type { Caller } from '../../support/caller.js';
import { asEditor } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';

const service = useService();
let editor: Caller;
const made: Project[] = [];
beforeAll(async () => {
  editor = await asEditor(service);
  for (let at = 0; at < 7; at++) made.push(await aProject(editor));
});

const list = (query: string) => editor.get<Project[]>(`/api/projects?${query}`);

/** Returns the path of the next page, or null on the last one. */
function nextOf({ headers }: Answer<unknown>): string | null {
  const link = headers['link'];
  if (link === undefined) return null;
  expect(link).toMatch(/^<\/api\/[^>]+>; rel="next"$/);
  return link.slice(1, link.indexOf('>'));
}

async function walk(path: string): Promise<Project[][]> {
  const pages: Project[][] = [];
  for (let next: string | null = path; next !== null;) {
    const answer: Answer<Project[]> = await editor.get<Project[]>(next);
    expect(answer.status).toBe(200);
    pages.push(answer.body);
    next = nextOf(answer);
  }
  return pages;
}

describe('a list', () => {
  it('is returned whole when it is shorter than the limit', async () => {
    const answer = await list('');
    expect(answer.body).toEqual(made);
    expect(nextOf(answer)).toBeNull();
  });

  it('is returned in pages of the limit: all rows, each once, in one order', async () => {
    const pages = await walk('/api/projects?limit=3');
    expect(pages.map((page) => page.length)).toEqual([3, 3, 1]);
    expect(pages.flat()).toEqual(made);
  });

  it('has no next page when the last one is exactly full', async () => {
    expect(await walk('/api/projects?limit=7')).toHaveLength(1);
  });

  it('keeps its other parameters in the link', async () => {
    expect(nextOf(await list('limit=2&count=true'))).toMatch(/limit=2&count=true&cursor=/);
  });

  it('continues at the same row, whatever was created or deleted meanwhile', async () => {
    const first = await list('limit=2');
    await service.owner.delete(`/api/projects/${made[1]!.id}?confirm=true`);
    const late = await aProject(editor);
    const rest = (await walk(nextOf(first)!)).flat();
    expect(rest.map(({ id }) => id)).toEqual([...made.slice(2), late].map(({ id }) => id));
    made.splice(1, 1);
    made.push(late);
  });

  it('orders rows of the same moment', async () => {
    await service.sql('UPDATE projects SET created_at = now()');
    const ids = (await walk('/api/projects?limit=2')).flat().map(({ id }) => id);
    expect(ids).toEqual(made.map(({ id }) => id).toSorted());
  });

  it('is counted on request', async () => {
    expect((await list('limit=2&count=true')).headers['x-total-count']).toBe('7');
    expect((await list('limit=2&count=false')).headers['x-total-count']).toBeUndefined();
    expect((await list('limit=2')).headers['x-total-count']).toBeUndefined();
  });

  it('is counted up to 10,000, and says when it is longer', async () => {
    const sql = `INSERT INTO users (id, email, name, role) SELECT gen_random_uuid(), n || '@x.example', 'x', 'Viewer' FROM generate_series(1, 10000) n`;
    await service.sql(sql);
    const { headers } = await service.owner.get('/api/users?limit=1&count=true');
    expect([headers['x-total-count'], headers['x-total-count-capped']]).toEqual(['10000', 'true']);
  });
});

describe('a cursor', () => {
  const cursorOf = async () =>
    new URLSearchParams(nextOf(await list('limit=2'))!.split('?')[1]).get('cursor')!;

  it.each(['x', '', 'W10', 'bnVsbA', '%00', 'a'.repeat(10_000)])(
    'is rejected by its name when it is malformed: %j',
    async (cursor) => {
      expect(await list(`cursor=${cursor}`)).toMatchObject(refused(400, 'validation_failed', 'cursor'));
    },
  );

  it('is rejected when it was cut or changed', async () => {
    const cursor = await cursorOf();
    expect(await list(`cursor=${cursor.slice(0, -2)}`)).toMatchObject(
      refused(400, 'validation_failed', 'cursor'),
    );
    expect(await list(`cursor=${cursor}A`)).toMatchObject(refused(400, 'validation_failed', 'cursor'));
  });

  it('cannot break the query when it is made up', async () => {
    const { crc32 } = await import('node:zlib');
    for (const values of [
      ["x'; DROP TABLE projects; --", 'y'],
      ['not a time', 'not an id'],
      [1, 2],
      [],
      ['2026-01-01T00:00:00Z'],
    ]) {
      const text = JSON.stringify([crc32(JSON.stringify(['createdAt', ...values])), ...values]);
      const answer = await list(`cursor=${Buffer.from(text).toString('base64url')}`);
      expect(answer).toMatchObject(refused(400, 'validation_failed', 'cursor'));
    }
    expect((await list('limit=1')).status).toBe(200);
  });
});
