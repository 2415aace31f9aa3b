import { QueryClient, QueryObserver } from '@tanstack/react-query';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { ListedIssue } from '../../../api/types';
import { issuesOf } from '../queries';
import { cardsQuery, rereadCards, resolvedQuery, type Cards } from './board-data';

vi.mock('../queries', () => ({ issuesOf: vi.fn() }));

const row = (id: string, more: object = {}) =>
  ({
    id,
    priority: 'none',
    status: 'Open',
    createdAt: id,
    why: { waitsFor: [] },
    ...more,
  }) as unknown as ListedIssue;
const read = vi.mocked(issuesOf);
const page = (rows: ListedIssue[]) => Promise.resolve({ rows, total: null, nextCursor: null });

let client: QueryClient;
const cards = () => client.getQueryData<Cards>(cardsQuery('PAY', {}).queryKey)!;

/** A board on screen that has been read, with 500 cards. */
beforeEach(async () => {
  client = new QueryClient();
  const many = Array.from({ length: 500 }, (_, index) => row(`card-${1000 - index}`));
  read.mockReset();
  read.mockImplementation((_, { status }) => page(status === 'Resolved' ? [row('old', { status })] : many));
  new QueryObserver(client, cardsQuery('PAY', {})).subscribe(() => undefined);
  new QueryObserver(client, resolvedQuery('PAY', {})).subscribe(() => undefined);
  await vi.waitFor(() => expect(client.isFetching()).toBe(0));
  read.mockClear();
});

describe('rereadCards', () => {
  it('reads all cards that events named with one request, and keeps the others', async () => {
    const before = cards();
    read.mockImplementation(() => page([row('card-900', { title: 'new' }), row('card-800')]));
    await rereadCards(client, ['card-900', 'card-800']);
    expect(read.mock.calls).toEqual([['PAY', { ids: 'card-900,card-800', limit: 200 }]]);
    const kept = cards().rows.filter((card) => before.rows.includes(card));
    expect([cards().rows.length, kept.length]).toEqual([500, 499]);
  });

  it('reads the finished issues again only when one of them may have changed', async () => {
    read.mockImplementation(() => page([row('card-900', { status: 'Resolved' })]));
    await rereadCards(client, ['card-900']);
    expect(read.mock.calls.map(([, { status }]) => status)).toEqual([undefined, 'Resolved']);
    expect(cards().rows).toHaveLength(499);
    read.mockClear();
    await rereadCards(client, ['old']);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('reads the whole board instead when more changed than one request can name', async () => {
    await rereadCards(
      client,
      Array.from({ length: 201 }, (_, index) => `${index}`),
    );
    expect(read.mock.calls.some(([, { ids }]) => ids !== undefined)).toBe(false);
    expect(read).toHaveBeenCalledTimes(2);
  });

  it('lets a read of the whole board end first, whose rows may be older', async () => {
    let finish = () => undefined as void;
    read.mockImplementationOnce(
      () =>
        new Promise(
          (resolve) => (finish = () => resolve({ rows: [row('a')], total: null, nextCursor: null })),
        ),
    );
    void client.invalidateQueries({ queryKey: cardsQuery('PAY', {}).queryKey });
    read.mockImplementation(() => page([row('a', { title: 'new' })]));
    const reread = rereadCards(client, ['a']);
    expect(read).toHaveBeenCalledTimes(1);
    finish();
    await reread;
    expect(cards().rows).toEqual([row('a', { title: 'new' })]);
  });
});
