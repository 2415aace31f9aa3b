import { beforeAll, describe, expect, it } from '@jest/globals';
import { anIssue, aProject, type Issue, type Project } from '../../../support/builders.js';
import type { Caller } from '../../../support/caller.js';
import { asAgent, asEditor, asViewer } from '../../../support/callers.js';
import { useService } from '../../../support/service.js';
import { expectInvalidPaths } from './issue-requests.js';
import { idsOf, listed, nextOf, pathOfList, readAllPages } from './list-requests.js';

const service = useService();
let editor: Caller;
let project: Project;
beforeAll(async () => {
  editor = await asEditor(service);
  project = await aProject(editor, { key: 'FIND' });
});

const find = (place: Project | null, q: string, more = '', caller = editor): Promise<Issue[]> =>
  listed(caller, place, `?q=${encodeURIComponent(q)}${more}`);

describe('a search finds an issue', () => {
  it('by all words of title and description, in any order, and by the beginning of the last word', async () => {
    const issue = await anIssue(editor, project, {
      title: 'Zebra crossing',
      description: 'paint it Quokka-yellow; café',
    });
    for (const q of [
      'zebra',
      "zebra' & \\ :*",
      'crossing zebra',
      'quokka',
      'zebra yellow',
      'café',
      'zeb',
      'crossing quo',
    ])
      expect(idsOf(await find(project, q))).toEqual([issue.id]);
    for (const q of ['zebra giraffe', 'zeb crossing', 'ebra', 'z', "zebra' OR 1=1 --", '%', ':*'])
      expect(idsOf(await find(project, q))).not.toContain(issue.id);
  });

  it('by its key in any case, everywhere, and by its number within its project', async () => {
    const issue = await anIssue(editor, project, { title: 'Named by its key' });
    const number = issue.key.split('-')[1]!;
    for (const q of [issue.key, ` ${issue.key.toLowerCase()} `]) {
      expect(idsOf(await find(null, q))).toContain(issue.id);
      expect(idsOf(await find(project, q))).toContain(issue.id);
    }
    expect(idsOf(await find(project, number))).toContain(issue.id);
    const elsewhere = await aProject(editor);
    expect(await find(elsewhere, issue.key)).toEqual([]);
    expect(await find(elsewhere, number)).toEqual([]);
    for (const q of [`${issue.key}0`, 'FIND-0', 'FIND-99999999999999999999'])
      expect(idsOf(await find(project, q))).not.toContain(issue.id);
    expect(idsOf(await find(project, issue.key, '&status=Closed'))).not.toContain(issue.id);
  });

  it.each([
    ['日本語の課題', '課題'],
    ['日本語の課題', '日本語'],
    ['日本語の課題を見る', '題を'],
    ['日本語の課題', '課'],
    ['支払いAPIのエラー', 'api エラー'],
    ['안녕하세요', '하세'],
    ['สวัสดีชาวโลก', 'ชาวโลก'],
    ['Ship it 🚀✨', '✨'],
    ['fails in v1.2.3-rc.1 only', '1.2.3'],
    ['fails in v1.2.3-rc.1 only', 'v1.2.3'],
    ['fails in v1.2.3-rc.1 only', '2.3-rc'],
    ['on node20.19.1 alone', '20.19'],
    ['see src/work/issues/list.ts', 'issues/list.t'],
    ['as in OTHER-1771.', 'other-1771'],
    ['a_snake_case_name', 'snake_case'],
    ['<div>inside a tag</div>', 'inside'],
    ['<div>inside a tag</div>', 'div'],
  ])('%j by its part %j', async (title, q) => {
    const place = await aProject(editor);
    const [inTitle, inText] = [
      await anIssue(editor, place, { title }),
      await anIssue(editor, place, { description: title }),
    ];
    await anIssue(editor, place, { title: '日 本 語 1 2 3 rc other snake list issues' });
    expect(idsOf(await find(place, q))).toEqual([inText.id, inTitle.id]);
  });

  it.each([
    ['Straße', 'STRASSE'],
    ['ÉTÉ', 'été'],
    ['Привет', 'ПРИВЕТ'],
    ['ΟΔΟΣ', 'οδος'],
    ['ΟΔΟΣ', 'Οδό'.normalize('NFD').replace('\u0301', '')],
    ['İstanbul', 'istanbul'],
    ['café', 'CAFE\u0301'],
    ['Ｗｉｄｅ', 'wide'],
    ['𐐀𐐁', '𐐨𐐩'],
  ])('%j as %j, without regard to case', async (title, q) => {
    const place = await aProject(editor);
    const issue = await anIssue(editor, place, { title });
    expect(idsOf(await find(place, q))).toEqual([issue.id]);
  });

  it('by its new words after a change, and no longer by the old ones', async () => {
    const place = await aProject(editor);
    const issue = await anIssue(editor, place, { title: 'Before 以前', description: 'same' });
    await editor.put(`/api/projects/issues/${issue.id}`, { title: 'After 以後' });
    expect(idsOf(await find(place, '以後'))).toEqual([issue.id]);
    expect(idsOf(await find(place, 'after same'))).toEqual([issue.id]);
    expect(await find(place, '以前')).toEqual([]);
  });

  it('whose text is as long as may be, by its first and its last word', async () => {
    const place = await aProject(editor);
    const long = [...Array(21_000).keys()].map((n) => String.fromCharCode(0x4e00 + ((n * 7919) % 20_000)));
    for (const description of [
      `first ${'x'.repeat(65_500)} last`,
      `first ${'a.b-c/'.repeat(10_900)} last`,
      `first ${long.join('')} last`,
    ]) {
      const issue = await anIssue(editor, place, { description });
      expect(idsOf(await find(place, 'first last'))[0]).toBe(issue.id);
    }
    expect(await find(place, 'x'.repeat(900))).toHaveLength(1);
  });
});

describe('the order of a search', () => {
  let key: string;
  let ids: { key: string; title: string; text: string; otherText: string };
  beforeAll(async () => {
    const place = await aProject(editor, { key: 'RANK' });
    const first = await anIssue(editor, place, { title: 'First of all' });
    key = first.key;
    const title = await anIssue(editor, place, { title: `What came of ${key}` });
    const text = await anIssue(editor, place, { description: `A copy of ${key}` });
    const otherText = await anIssue(editor, place, { description: `Mind ${key}` });
    ids = { key: first.id, title: title.id, text: text.id, otherText: otherText.id };
  });

  it('is key, title, text where at most 10 are asked for, each by the sort', async () => {
    expect(idsOf(await find(null, key, '&limit=10'))).toEqual([ids.key, ids.title, ids.otherText, ids.text]);
    expect(idsOf(await find(null, key, '&limit=10&sort=createdAt'))).toEqual([
      ids.key,
      ids.title,
      ids.text,
      ids.otherText,
    ]);
  });

  it('is the sort where more are asked for', async () => {
    expect(idsOf(await find(null, key, '&limit=11'))).toEqual([ids.otherText, ids.text, ids.title, ids.key]);
  });

  it.each(['-createdAt', 'createdAt', 'priority', '-updatedAt'])(
    'continues on the next page by %s, also on a longer one',
    async (sort) => {
      const q = `/api/projects/issues?q=${key}&sort=${sort}`;
      const all = idsOf((await editor.get<Issue[]>(`${q}&limit=10`)).body);
      expect(idsOf((await readAllPages(editor, `${q}&limit=1`)).flat())).toEqual(all);
      const next = nextOf(await editor.get(`${q}&limit=1`))!;
      const rest = await editor.get<Issue[]>(next.replace('limit=1', 'limit=50'));
      expect(idsOf(rest.body)).toEqual(all.slice(1));
      await expectInvalidPaths(editor.get(next.replace(`sort=${sort}`, 'sort=-priority')), 'cursor');
    },
  );

  it('has a match of the title before 1,000 matches of the text', async () => {
    const place = await aProject(editor);
    const best = await anIssue(editor, place, { title: 'Needle' });
    await service.sql(
      `INSERT INTO issues (id, project_id, number, title, description, status, created_by_type, created_by_name)
       SELECT gen_random_uuid(), $1, 10 + n, 'Hay ' || n, 'needle', 'Open', 'system', 'test' FROM generate_series(1, 1100) AS n`,
      [place.id],
    );
    expect(idsOf(await find(place, 'needle', '&limit=5'))[0]).toBe(best.id);
    const { headers } = await editor.get(`${pathOfList(place)}?q=needle&limit=5&count=true`);
    expect(headers).toMatchObject({ 'x-total-count': '1000', 'x-total-count-capped': 'true' });
  });
});

describe('a search over all projects', () => {
  it('finds in every project that the caller sees, and nothing of the others by key, word or number', async () => {
    const [open, closed] = [await aProject(editor), await aProject(editor, { visibility: 'members' })];
    const seen = await anIssue(editor, open, { title: 'Pangolin seen' });
    const hidden = await anIssue(editor, closed, { title: 'Pangolin hidden' });
    const [stranger, agent] = [await asViewer(service), await asAgent(service)];
    for (const limit of ['&limit=10', '&limit=50']) {
      expect(idsOf(await find(null, 'pangol', limit))).toEqual([hidden.id, seen.id]);
      for (const caller of [stranger, agent]) {
        expect(idsOf(await find(null, 'pangol', limit, caller))).toEqual([seen.id]);
        expect(await find(null, hidden.key, limit, caller)).toEqual([]);
      }
    }
  });
});
