import { describe, expect, it } from '@jest/globals';
import type { ImportFormat } from '../import.entity.js';
import { readRecords, type ReadRecord } from './read-records.js';

/** Reads a text in chunks of a size, so that every border lies in some chunk. */
async function recordsIn(format: ImportFormat, text: string, size = 65_536): Promise<ReadRecord[]> {
  const bytes = Buffer.from(text);
  async function* chunks(): AsyncGenerator<Buffer> {
    for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
  }
  const records: ReadRecord[] = [];
  for await (const record of readRecords(format, chunks())) records.push(record);
  return records;
}

describe('Linear', () => {
  it('maps times to states, the project to a goal, and columns of other issues to links', async () => {
    const csv = [
      'ID,Team,Title,Description,Status,Estimate,Priority,Project ID,Project,Creator,Assignee,Labels,Created,Updated,Started,Completed,Canceled,Parent issue,Blocked by',
      'ENG-2,Eng,"Ship, then rest","Line one\nline ""two""",Done,3,High,p-1,Launch,ada@example.org,,"bug, ui",2024-01-02T03:04:05.678Z,2024-01-03T00:00:00.000Z,,2024-01-04T00:00:00.000Z,,ENG-1,"ENG-3, ENG-4"',
      'ENG-1,Eng,Parent,,Todo,,No priority,,,,,,2024-01-02T03:04:05.678Z,,,,,,',
      '',
    ].join('\r\n');
    expect(await recordsIn('linear', csv, 7)).toMatchObject([
      {
        line: 2,
        mapped: {
          ignored: ['column Estimate'],
          items: [
            { kind: 'goal', externalId: 'linear:projects/p-1', title: 'Launch' },
            {
              externalId: 'linear:ENG-2',
              title: 'Ship, then rest',
              description: 'Line one\nline "two"',
              status: 'Resolved',
              priority: 'high',
              labels: ['bug', 'ui'],
              goal: 'linear:projects/p-1',
            },
            { linkType: 'Blocks', source: 'linear:ENG-3', target: 'linear:ENG-2' },
            { linkType: 'Blocks', source: 'linear:ENG-4', target: 'linear:ENG-2' },
            { linkType: 'Child', source: 'linear:ENG-2', target: 'linear:ENG-1' },
          ],
        },
      },
      { line: 4, mapped: { items: [{ externalId: 'linear:ENG-1', status: 'Open', priority: 'none' }] } },
    ]);
  });
});

describe('Jira', () => {
  it('maps repeated columns, its times, comments, links and resolutions', async () => {
    const csv = [
      'Summary,Issue key,Issue Type,Status,Status Category,Priority,Resolution,Assignee,Creator,Created,Updated,Resolved,Labels,Labels,Parent key,Inward issue link (Blocks),Outward issue link (Blocks),Comment,Comment,Sprint,Time Spent',
      `Fix it,AB-1,Bug,Done,Done,Highest,Won't Do,Ada,Bob,22/Jan/24 3:14 PM,23/Jan/24 12:00 AM,23/Jan/24 12:00 AM,one,two,AB-9,AB-2,AB-3,"22/Jan/24 4:00 PM;557058:abc;First; with more","23/Jan/24 9:05 AM;bob;Second",Sprint 1,`,
    ].join('\n');
    expect(await recordsIn('jira', csv)).toMatchObject([
      {
        line: 2,
        mapped: {
          ignored: ['column Sprint'],
          items: [
            {
              externalId: 'jira:AB-1',
              status: 'Closed',
              priority: 'urgent',
              labels: ['one', 'two', 'Bug'],
              createdBy: { name: 'Bob' },
              createdAt: '2024-01-22T15:14:00.000Z',
              closedAt: '2024-01-23T00:00:00.000Z',
            },
            { linkType: 'Child', source: 'jira:AB-1', target: 'jira:AB-9' },
            { linkType: 'Blocks', source: 'jira:AB-1', target: 'jira:AB-3' },
            { linkType: 'Blocks', source: 'jira:AB-2', target: 'jira:AB-1' },
            {
              content: 'First; with more',
              createdBy: { name: '557058:abc' },
              createdAt: '2024-01-22T16:00:00.000Z',
            },
            {
              externalId: 'jira:AB-1/comments/2024-01-23T09:05:00.000Z;bob;1',
              createdAt: '2024-01-23T09:05:00.000Z',
            },
          ],
        },
      },
    ]);
  });

  it('names a comment by its time and author, which stay when an earlier one is deleted', async () => {
    const idsOf = async (...comments: string[]) => {
      const columns = `Issue key,Summary${',Comment'.repeat(comments.length)}`;
      const [record] = await recordsIn('jira', `${columns}\nAB-1,x,"${comments.join('","')}"\n`);
      const { items } = (record as { mapped: { items: { externalId: string }[] } }).mapped;
      return items.slice(1).map(({ externalId }) => externalId.slice('jira:AB-1/comments/'.length));
    };
    const [ann, bob] = ['22/Jan/24 4:00 PM;ann;one', '22/Jan/24 4:00 PM;bob;two'];
    const all = await idsOf(ann, bob, bob, 'no; time', `${'x'.repeat(600)};;`);
    const at = '2024-01-22T16:00:00.000Z';
    expect(all).toEqual([`${at};ann;1`, `${at};bob;1`, `${at};bob;2`, ';;1', `${'x'.repeat(300)};1`]);
    expect(await idsOf(bob, bob, 'no; time')).toEqual(all.slice(1, 4));
  });

  it('keeps a quotation mark within a value, and all rows before a quotation that does not end', async () => {
    const records = await recordsIn('jira', 'Summary,Issue key\nx,AB-1\na "y" z,AB-2\n"w,AB-3\nv,AB-4\n');
    expect(records).toMatchObject([
      { line: 2, mapped: { items: [{ title: 'x' }] } },
      { line: 3, mapped: { items: [{ title: 'a "y" z' }] } },
      { error: 'is not valid CSV: CSV_QUOTE_NOT_CLOSED' },
    ]);
  });
});
