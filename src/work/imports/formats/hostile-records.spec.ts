import { describe, expect, it } from '@jest/globals';
import type { ImportFormat } from '../import.entity.js';
import { readRecords, type ReadRecord } from './read-records.js';

async function recordsIn(format: ImportFormat, text: string): Promise<ReadRecord[]> {
  const records: ReadRecord[] = [];
  const bytes = async function* () {
    const whole = Buffer.from(text);
    for (let at = 0; at < whole.length; at += 65_536) yield whole.subarray(at, at + 65_536);
  };
  for await (const record of readRecords(format, bytes())) records.push(record);
  return records;
}

const itemsIn = async (format: ImportFormat, text: string) =>
  (await recordsIn(format, text)).flatMap((record) => ('mapped' in record ? record.mapped.items : []));

describe('text that cannot be stored', () => {
  it('has replacement characters in place of NUL and of halves of surrogate pairs, and keeps pairs and backslashes', async () => {
    const title = String.raw`a\u0000b\ud800c\uDC00d\ud83d\ude00e\\u0000f\\\u0000g`;
    const [item] = await itemsIn('beads', `{"id":"x","title":"${title}","status":"open"}`);
    expect(item).toMatchObject({ title: 'a\uFFFDb\uFFFDc\uFFFDd😀e\\u0000f\\\uFFFDg' });
  });
});

describe('GitHub', () => {
  it('leaves out an issue whose repository nothing names, and says which field to ask gh for', async () => {
    const issue = { number: 7, title: 'x', body: '', state: 'OPEN' };
    const error = 'has no url that names its repository; add url to gh issue list --json';
    const file = JSON.stringify([issue, { ...issue, url: '' }, { ...issue, url: 'https://github.com/' }]);
    const left = { line: 1, error };
    expect(await recordsIn('github', file)).toEqual([left, left, left]);
  });
});

describe('a table', () => {
  it('is read in time that grows with it where one column is there a hundred thousand times', async () => {
    const count = 150_000;
    const head = `Issue key,Summary${',Watchers'.repeat(count)}\n`;
    const [record] = await recordsIn('jira', `${head}J-1,a${',x'.repeat(count)}\n`);
    expect(record).toMatchObject({ mapped: { items: [{ externalId: 'jira:J-1' }] } });
  });

  it('is read on after a quote that is never closed, up to the longest row', async () => {
    const open = `J-1,"${'x'.repeat(20 * 1024 * 1024)}\n`;
    const records = await recordsIn('jira', `Issue key,Summary\n${open}`);
    expect(records.every((record) => 'error' in record)).toBe(true);
    expect(records.length).toBeGreaterThan(0);
  });
});

describe('times', () => {
  const timesOf = async (created: string) => {
    const [record] = await recordsIn('jira', `Issue key,Summary,Created\nJ-1,a,"${created}"\n`);
    const { items, ignored } = (record as { mapped: { items: object[]; ignored: string[] } }).mapped;
    return [(items[0] as { createdAt: string | null }).createdAt, ignored.length];
  };

  it.each([
    ['22/Jan/24 3:14 PM', '2024-01-22T15:14:00.000Z'],
    ['2024-01-22 15:14', '2024-01-22T15:14:00.000Z'],
    ['2024-01-22T15:14:00', '2024-01-22T15:14:00.000Z'],
    ['2024-01-22', '2024-01-22T00:00:00.000Z'],
    ['Jan 22, 2024 3:14 PM', '2024-01-22T15:14:00.000Z'],
    ['Mon Jan 22 2024 15:14:00 GMT+0100 (Central European Standard Time)', '2024-01-22T14:14:00.000Z'],
    ['2024-01-22T15:14:00+01:00', '2024-01-22T14:14:00.000Z'],
  ])('without a zone are those of UTC: %s', async (text, iso) => {
    expect(await timesOf(text)).toEqual([iso, 0]);
  });

  it.each(['22/Mai/24 3:14 PM', '0000-01-01', '12345-01-01', 'Jan 1, 99999', 'soon'])(
    'that are none are left out, and the report says so: %s',
    async (text) => {
      expect(await timesOf(text)).toEqual([null, 1]);
    },
  );
});
