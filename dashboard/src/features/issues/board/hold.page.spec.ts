import { renderHook } from '@testing-library/react';
import { describe, expect, it } from 'vitest';
import type { ListedIssue } from '../../../api/types';
import { heldOrder, useHold, type HeldIssue } from './column';

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

describe('useHold', () => {
  const shown = (cards: readonly HeldIssue[]) =>
    cards.map(({ issue: { id }, gone }) => (gone ? `(${id})` : id)).join(' ');
  const column = () => {
    const start = { issues: [issue('a'), issue('b')], moving: new Set<string>() };
    return renderHook(({ issues, moving }) => useHold(issues, moving), { initialProps: start });
  };
  const none = new Set<string>();

  it('keeps what leaves in its place from the hold on until the release', () => {
    const { result, rerender } = column();
    result.current.hold();
    rerender({ issues: [issue('b'), issue('c')], moving: none });
    expect(shown(result.current.cards)).toBe('(a) b c');
    result.current.release();
    rerender({ issues: [issue('b'), issue('c')], moving: none });
    expect(shown(result.current.cards)).toBe('b c');
  });

  it('follows every change without a hold', () => {
    const { result, rerender } = column();
    rerender({ issues: [issue('c'), issue('b')], moving: none });
    expect(shown(result.current.cards)).toBe('c b');
  });

  it('lets a card go that the person moves, also after the service has confirmed it', () => {
    const { result, rerender } = column();
    result.current.hold();
    rerender({ issues: [issue('b')], moving: new Set(['a']) });
    expect(shown(result.current.cards)).toBe('b');
    rerender({ issues: [issue('b')], moving: none });
    expect(shown(result.current.cards)).toBe('b');
  });
});
