import { describe, expect, it } from 'vitest';
import type { ListedIssue } from '../../../api/types';
import { heldOrder } from './hold';

const issue = (id: string, title = id) => ({ id, title }) as ListedIssue;
const lines = (before: ListedIssue[], now: ListedIssue[]) =>
  heldOrder(before, now).map(({ issue: { title }, gone }) => (gone ? `(${title})` : title));

describe('heldOrder', () => {
  it('keeps each card in its place, also one that has left', () => {
    expect(lines([issue('a'), issue('b'), issue('c')], [issue('c'), issue('a')])).toEqual(['a', '(b)', 'c']);
  });

  it('shows each card as it is now', () => {
    expect(lines([issue('a', 'old')], [issue('a', 'new')])).toEqual(['new']);
  });

  it('puts what came since at the end', () => {
    expect(lines([issue('b')], [issue('a'), issue('b')])).toEqual(['b', 'a']);
  });
});
