import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { OutcomeUnknown, WritesUnconfirmed } from './postgres-errors.js';
import { Confirmation, kindOf, UnconfirmedWrites } from './unconfirmed-writes.js';

/** What a statement, a request and PostgreSQL have for an unconfirmed write. */
const LIMIT_MS = 4_000;

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

/** A connection, and what the database says of its writes. */
function connection(writes: UnconfirmedWrites, waits: boolean | null = true) {
  let answer: (() => void) | undefined;
  let fail: ((error: Error) => void) | undefined;
  const close = jest.fn(() => fail!(new Error('Connection terminated unexpectedly')));
  const confirmation = new Confirmation(writes, () => Promise.resolve(waits), close);
  const send = () =>
    new Promise<string>((resolve, reject) => {
      answer = () => resolve('done');
      fail = reject;
    });
  /** Sends a statement, and returns how it ends. */
  const sent = (kind: 'commit' | 'write' | 'begin' | 'other') =>
    confirmation.of(kind, send).catch((error: unknown) => error);
  return { confirmation, close, sent, answer: () => answer!(), fail: (error: Error) => fail!(error) };
}

const soon = () => jest.advanceTimersByTimeAsync(1);

describe('a write that the database does not confirm', () => {
  it('is given up after about 4 s, and keeps its connection until the response comes', async () => {
    const writes = new UnconfirmedWrites(10);
    const { confirmation, close, sent, answer } = connection(writes);
    const released = jest.fn();
    const outcome = sent('commit');
    await jest.advanceTimersByTimeAsync(LIMIT_MS);
    expect(await outcome).toBeInstanceOf(OutcomeUnknown);
    confirmation.whenSettled(released);
    expect({ isOpen: confirmation.isOpen, count: writes.count }).toEqual({ isOpen: true, count: 1 });
    // The ROLLBACK of the transaction would wait for its COMMIT.
    expect(await sent('other')).toBeInstanceOf(OutcomeUnknown);
    await jest.advanceTimersByTimeAsync(600_000);
    expect(released).not.toHaveBeenCalled();
    answer();
    await soon();
    expect(released).toHaveBeenCalledWith(true);
    expect({ isOpen: confirmation.isOpen, count: writes.count }).toEqual({ isOpen: false, count: 0 });
    expect(close).not.toHaveBeenCalled();
  });

  it('lets no further one begin while the database waits for a standby', async () => {
    const writes = new UnconfirmedWrites(10);
    const { sent, answer } = connection(writes);
    const outcome = sent('commit');
    await jest.advanceTimersByTimeAsync(LIMIT_MS);
    await outcome;
    const other = connection(writes);
    expect(await other.sent('begin')).toBeInstanceOf(WritesUnconfirmed);
    expect(await other.sent('write')).toBeInstanceOf(WritesUnconfirmed);
    answer();
    await soon();
    const next = other.sent('begin');
    other.answer();
    expect(await next).toBe('done');
  });

  it('holds up no other one where the database says that it waits for no standby, and loses its connection then', async () => {
    const writes = new UnconfirmedWrites(10);
    const { sent, close } = connection(writes, false);
    const outcome = sent('commit');
    await jest.advanceTimersByTimeAsync(LIMIT_MS);
    await outcome;
    const other = connection(writes, false);
    const next = other.sent('begin');
    other.answer();
    expect(await next).toBe('done');
    await jest.advanceTimersByTimeAsync(40_000);
    expect(close).toHaveBeenCalledTimes(1);
    expect(writes.count).toBe(0);
  });

  it('loses its connection at once where those of half of the pool are kept', async () => {
    const writes = new UnconfirmedWrites(4);
    const connections = Array.from({ length: 4 }, () => connection(writes, null));
    const outcomes = Promise.all(connections.map(({ sent }) => sent('commit')));
    await jest.advanceTimersByTimeAsync(LIMIT_MS);
    expect((await outcomes).every((one) => one instanceof OutcomeUnknown)).toBe(true);
    expect(connections.map(({ close }) => close.mock.calls.length)).toEqual([0, 0, 1, 1]);
    expect(writes.count).toBe(2);
    expect(await connection(writes, null).sent('begin')).toBeInstanceOf(WritesUnconfirmed);
  });

  it.each([
    [true, LIMIT_MS, true],
    [false, 10_000, false],
    [null, 12_000, true],
  ])(
    'outside of a transaction waits for a standby: %s; after %i ms it is given up: %s',
    async (waits, ms, isGivenUp) => {
      const writes = new UnconfirmedWrites(10);
      const { sent } = connection(writes, waits);
      void sent('write');
      await jest.advanceTimersByTimeAsync(ms);
      expect(writes.count).toBe(isGivenUp ? 1 : 0);
    },
  );

  it('has an unknown outcome where the connection breaks, and a known one where PostgreSQL refuses it', async () => {
    const { sent, fail } = connection(new UnconfirmedWrites(10));
    const broken = sent('commit');
    fail(new Error('Connection terminated unexpectedly'));
    const error = await broken;
    expect(error).toBeInstanceOf(OutcomeUnknown);
    expect(await (error as OutcomeUnknown).settled).toBe(false);
    const refused = sent('commit');
    fail(Object.assign(new Error('deferred'), { code: '23503' }));
    expect(await refused).toMatchObject({ code: '23503' });
  });
});

describe('a statement', () => {
  it.each([
    ['COMMIT', true, 'commit'],
    ['START TRANSACTION', false, 'begin'],
    ['INSERT INTO a VALUES (1)', false, 'write'],
    [' WITH a AS (DELETE FROM b) SELECT 1', false, 'write'],
    ['WITH a AS MATERIALIZED (SELECT updated_at FROM b) SELECT deleted FROM a', false, 'other'],
    ['UPDATE a SET b = 1', true, 'other'],
    ['SELECT 1', false, 'other'],
    [undefined, false, 'other'],
  ] as const)('%s, in a transaction: %s, is of the kind %s', (text, isInTransaction, kind) => {
    expect(kindOf(text, isInTransaction)).toBe(kind);
  });
});
