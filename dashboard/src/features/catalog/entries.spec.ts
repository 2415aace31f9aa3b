import { describe, expect, it } from 'vitest';
import type { CatalogEntry } from '../../api/types';
import { countsOf, filtered } from './entries';

const entry = (name: string, part: Partial<CatalogEntry> = {}) =>
  ({
    id: name.toLowerCase(),
    name,
    description: '',
    publisher: null,
    category: 'dev',
    installable: true,
    ...part,
  }) as CatalogEntry;

const entries = [
  entry('Sentry', { description: 'Look into issues' }),
  entry('DBHub', { category: 'database', publisher: 'Bytebase' }),
  entry('Fetch', { category: 'search', installable: false }),
];
const names = (filter: object) => filtered(entries, filter).map(({ name }) => name);

describe('filtered', () => {
  it('sorts by name', () => {
    expect(names({})).toEqual(['DBHub', 'Fetch', 'Sentry']);
  });

  it('needs every word somewhere in id, name, description or publisher', () => {
    expect(names({ q: 'ISSUES sentry' })).toEqual(['Sentry']);
    expect(names({ q: 'bytebase' })).toEqual(['DBHub']);
    expect(names({ q: 'sentry bytebase' })).toEqual([]);
  });

  it('narrows to a category and to what can be installed here', () => {
    expect(names({ category: 'database' })).toEqual(['DBHub']);
    expect(names({ here: true })).toEqual(['DBHub', 'Sentry']);
  });
});

describe('countsOf', () => {
  it('counts by category under the other filters, not under the category', () => {
    expect([...countsOf(entries, { category: 'dev', here: true })]).toEqual([
      ['database', 1],
      ['dev', 1],
    ]);
  });
});
