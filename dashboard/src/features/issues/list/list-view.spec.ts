import { describe, expect, it } from 'vitest';
import { isNested, listViewIn, queryOf, shownBy } from './list-view';

describe('what a list shows', () => {
  it('is the same text for the same, in whatever order it was chosen, and without the view', () => {
    const one = listViewIn({ sort: 'status', hide: 'why,labels', label: 'a', view: 'x' });
    const other = listViewIn({ label: 'a', hide: 'labels,why,nothing', sort: 'status' });
    expect(queryOf(one)).toBe('label=a&sort=status&hide=labels%2Cwhy');
    expect(queryOf(other)).toBe(queryOf(one));
  });

  it('is what a view kept of it, also digits and other characters', () => {
    const shown = listViewIn({ q: 1771, assigneeId: 'me,none', group: 'label', flat: true });
    const query = queryOf(shown);
    expect(shownBy({ id: 'v', query })).toEqual({ ...shown, view: 'v' });
    expect(queryOf(listViewIn({ q: 'a&b=ü' }))).toBe('q=a%26b%3D%C3%BC');
  });

  it('leaves out what no list knows', () => {
    expect(shownBy({ id: 'v', query: 'sort=size&group=colour&hide=key&x=1' })).toEqual({
      ...listViewIn({}),
      view: 'v',
    });
  });

  it('has parts below their parents only where it is everything', () => {
    expect(isNested(listViewIn({ sort: 'priority', hide: 'why' }))).toBe(true);
    for (const other of [{ flat: true }, { group: 'status' }, { q: 'x' }, { parentId: 'none' }])
      expect(isNested(listViewIn(other))).toBe(false);
  });
});
