import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { describe, expect, it, vi } from 'vitest';
import type { ListedIssue } from '../../../api/types';
import { issuesOf } from '../queries';
import { cardsQuery, type Cards } from './board-data';

vi.mock('../queries', () => ({ issuesOf: vi.fn() }));

const pageOf = (size: number, from: number) =>
  Array.from(
    { length: size },
    (_, index) =>
      ({
        id: `${from + index}`,
        priority: 'none',
        createdAt: `${10_000 - from - index}`,
      }) as unknown as ListedIssue,
  );

/** What a board shows, one number of cards after the other; `total` issues are unfinished. */
async function shownWith(total: number): Promise<{ cards: Cards; steps: number[] }> {
  vi.mocked(issuesOf).mockImplementation((_, { cursor, limit = 0 }) => {
    const from = Number(cursor ?? 0);
    const size = Math.min(limit, total - from);
    const nextCursor = from + size < total ? `${from + size}` : null;
    return Promise.resolve({ rows: pageOf(size, from), total: null, nextCursor });
  });
  const client = new QueryClient();
  const { queryKey } = cardsQuery('PAY', {});
  const steps: number[] = [];
  new QueryObserver(client, cardsQuery('PAY', {})).subscribe(({ data }) => {
    if (data && data.rows.length !== steps.at(-1)) steps.push(data.rows.length);
  });
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  return { cards: client.getQueryData<Cards>(queryKey)!, steps };
}

describe('cardsQuery', () => {
  it('reads all pages, and shows the first ones meanwhile', async () => {
    const { cards, steps } = await shownWith(1_200);
    expect(steps).toEqual([500, 1_000, 1_200]);
    expect([cards.rows.length, cards.isWhole]).toEqual([1_200, true]);
  });

  it('stops at 3,000 and says that there are more', async () => {
    const { cards } = await shownWith(3_400);
    expect([cards.rows.length, cards.isWhole]).toEqual([3_000, false]);
  });
});
