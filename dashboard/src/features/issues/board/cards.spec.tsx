import { render } from '@testing-library/react';
import type { ReactNode } from 'react';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ListedIssue } from '../../../api/types';
import { reasonOf } from '../reason';
import { withReread } from './board-data';
import { Cards } from './cards';

vi.mock('@tanstack/react-router', () => ({
  Link: ({ children }: { children: ReactNode }) => <a>{children}</a>,
}));
// Each card reads its reason once per time that it is drawn.
vi.mock('../reason', () => ({ reasonOf: vi.fn(() => null) }));

const issue = (index: number, more: object = {}) =>
  ({
    id: `${index}`,
    key: `PAY-${index}`,
    title: `Number ${index}`,
    status: 'Open',
    priority: 'none',
    attempts: 0,
    assignee: null,
    labels: [],
    createdAt: `${9_999 - index}`,
    statusSince: '2026-01-01T00:00:00.000Z',
    ...more,
  }) as unknown as ListedIssue;
/** A column in view; the page of the test has no sizes of its own. */
const column = Object.defineProperties(document.createElement('div'), {
  clientHeight: { value: 800 },
  clientWidth: { value: 240 },
});
const board = (issues: readonly ListedIssue[]) => (
  <Cards
    issues={issues}
    project="PAY"
    scroller={column}
    moving={new Set()}
    gone={new Set()}
    revealed={null}
    drag={null}
    onMove={() => undefined}
  />
);
const many = (count: number) => Array.from({ length: count }, (_, index) => issue(index));

beforeEach(() => void vi.mocked(reasonOf).mockClear());

describe('Cards', () => {
  it('draws one card again when one card changed', () => {
    const before = many(50);
    const { rerender, getByText } = render(board(before));
    expect(reasonOf).toHaveBeenCalledTimes(50);
    vi.mocked(reasonOf).mockClear();
    rerender(board(withReread(before, new Set(['7']), [issue(7, { title: 'Another title' })])));
    getByText('Another title');
    expect(reasonOf).toHaveBeenCalledTimes(1);
  });

  it('draws no card again when cards change their places', () => {
    const before = many(50);
    const { rerender } = render(board(before));
    vi.mocked(reasonOf).mockClear();
    rerender(board(before.toReversed()));
    expect(reasonOf).not.toHaveBeenCalled();
  });

  it('has a short list whole in the document, and of a long one the cards near the view', () => {
    const { container, rerender } = render(board(many(60)));
    const cards = () => container.querySelectorAll('[data-issue]');
    expect(cards()).toHaveLength(60);
    rerender(board(many(2_000)));
    expect(cards().length).toBeGreaterThan(5);
    expect(cards().length).toBeLessThan(200);
    expect(cards()[0]!.closest('li')!.getAttribute('aria-setsize')).toBe('2000');
  });
});
