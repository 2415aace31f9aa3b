import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OLD, OldMonth, TABLES } from './old-month.js';

let month: OldMonth;
let before: Awaited<ReturnType<OldMonth['rows']>>;
beforeAll(async () => {
  month = await OldMonth.open();
  before = await month.rows();
});
afterAll(() => month.end());

describe('npm run archive', () => {
  it('writes the month into files of JSON lines, and keeps it when asked to', async () => {
    expect(await month.archive(OLD, '--keep')).toMatchObject({ code: 0 });
    const names = await month.archived();
    for (const { name } of TABLES) expect(names).toContain(`${name}-${OLD}.jsonl.gz`);
    const manifest = JSON.parse(
      await readFile(join(month.folder, `archive/journal-${OLD}.json`), 'utf8'),
    ) as {
      rows: number;
    };
    expect(manifest.rows).toBe(2000);
    const [first] = gunzipSync(await readFile(join(month.folder, `archive/journal-${OLD}.jsonl.gz`)))
      .toString()
      .split('\n');
    expect(JSON.parse(first!)).toMatchObject({
      position: 1,
      actor_name: 'Zoë',
      data: { text: 'a "quoted" \\ line\nand 1' },
    });
  });

  it('drops nothing that the archive does not have as it is', async () => {
    await month.one.rows(`UPDATE webhook_deliveries SET tries = 7 WHERE event_position = 5`);
    const changed = await month.archive(OLD);
    expect(changed.code).toBe(1);
    expect(changed.said).toContain('the database has other rows than the archive');
    await month.one.rows(`UPDATE webhook_deliveries SET tries = 0 WHERE event_position = 5`);
    const file = join(month.folder, `archive/webhook_deliveries-${OLD}.jsonl.gz`);
    const good = await readFile(file);
    await writeFile(file, good.subarray(0, good.length - 100));
    const damaged = await month.archive(OLD);
    await writeFile(file, good);
    expect(damaged.code).toBe(1);
    expect(await month.isThere()).toBe(true);
    expect((await month.one.rows('SELECT 1 FROM webhook_deliveries')).length).toBe(2000);
  });

  it('moves a month out of the database and back, each value as it was', async () => {
    const moved = await month.archiveWith({ DELIVERY_RETENTION_DAYS: '30' }, OLD);
    expect(moved).toMatchObject({ code: 0 });
    expect(await month.isThere()).toBe(false);
    expect(await month.rows()).toEqual(Object.fromEntries(TABLES.map(({ name }) => [name, []])));
    expect(
      await month.one.rows(`SELECT data->>'rows' AS rows FROM journal WHERE type = 'journal.pruned'`),
    ).toEqual([{ rows: '2000' }]);
    expect((await month.archive('--list')).said).toContain(`${OLD} journal: 2000 rows`);
    expect(await month.archive('--verify')).toMatchObject({ code: 0 });
    const restored = await month.archive('--restore', OLD);
    expect(restored).toMatchObject({ code: 0 });
    expect(await month.rows()).toEqual(before);
    expect((await month.archive(OLD)).code).toBe(0);
    expect(await month.isThere()).toBe(false);
  });
});
