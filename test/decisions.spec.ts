import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from '@jest/globals';

const folder = join(import.meta.dirname, '../docs/decisions');
const read = (name: string) => readFileSync(join(folder, name), 'utf8');
const names = readdirSync(folder)
  .filter((name) => name !== 'README.md')
  .toSorted();
const status = (name: string) => /^- Status: (.+)$/m.exec(read(name))?.[1];
const numberOf = (name: string) => name.slice(0, 4);

const FORM =
  /^# (\d{4})\. \S.+\n\n- Date: (\d{4}-\d{2}-\d{2})\n- Status: (accepted|superseded by \d{4})\n\n## /;
const SECTIONS = ['Context', 'Decision', 'Alternatives rejected', 'Consequences'];

describe('docs/decisions', () => {
  it('numbers its pages from 0001 without a gap, in the order of their dates', () => {
    expect(names.map(numberOf)).toEqual(names.map((_, index) => String(index + 1).padStart(4, '0')));
    const dates = names.map((name) => FORM.exec(read(name))?.[2]);
    expect(dates).toEqual(dates.toSorted());
  });

  it.each(names)('gives %s a title, a date, a status and the four sections', (name) => {
    const text = read(name);
    expect(name).toMatch(/^\d{4}-[a-z0-9]+(-[a-z0-9]+)*\.md$/);
    expect(text).toMatch(FORM);
    expect(FORM.exec(text)?.[1]).toBe(numberOf(name));
    expect([...text.matchAll(/^## (.+)$/gm)].map(([, title]) => title)).toEqual(SECTIONS);
  });

  it('supersedes a page only by a later page that exists', () => {
    for (const name of names) {
      const by = /^superseded by (\d{4})$/.exec(status(name) ?? '')?.[1];
      if (by === undefined) continue;
      expect(names.map(numberOf)).toContain(by);
      expect(Number(by)).toBeGreaterThan(Number(numberOf(name)));
    }
  });

  it('lists each page in its index with its title and status', () => {
    const rows = [...read('README.md').matchAll(/^\| \[(\d{4})\]\((.+?)\) +\| (.+?) +\| (.+?) +\|$/gm)];
    expect(rows.map(([, number, file, title, its]) => ({ number, file, title, status: its }))).toEqual(
      names.map((name) => ({
        number: numberOf(name),
        file: name,
        title: /^# \d{4}\. (.+)$/m.exec(read(name))?.[1],
        status: status(name),
      })),
    );
  });
});
