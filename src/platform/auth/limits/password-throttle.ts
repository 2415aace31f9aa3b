import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { Database } from '../../database/database.js';
import { TooManyRequests } from '../auth.errors.js';

/** Failures in 15 minutes, counted in the database, so that they hold across processes (spec §2). */
const WINDOW_SECONDS = 900;
const PER_ACCOUNT = 10;
const PER_ADDRESS = 50;

/** Who tries a password: `account` is the user's id, or the e-mail address that nobody has. */
export interface Attempt {
  account: string;
  /** Of the client; null where it is not known. */
  address: string | null;
}

/**
 * Slows down the guessing of passwords. A point is taken before the password is looked at and given back when
 * it was right: of many guesses at once no more than the limit are ever answered.
 */
@Injectable()
export class PasswordThrottle {
  private readonly limiters: { of: (attempt: Attempt) => string; limiter: RateLimiterPostgres }[];

  constructor(private readonly database: Database) {
    const limiter = (keyPrefix: string, points: number) =>
      new RateLimiterPostgres({
        storeClient: database.pool,
        storeType: 'pool',
        tableName: 'login_failures',
        tableCreated: true,
        clearExpiredByTimeout: false,
        keyPrefix,
        points,
        duration: WINDOW_SECONDS,
      });
    this.limiters = [
      { of: ({ address }) => address ?? 'unknown', limiter: limiter('address', PER_ADDRESS) },
      { of: ({ account }) => digestOf(account), limiter: limiter('account', PER_ACCOUNT) },
    ];
  }

  /**
   * Runs `check` unless there were too many failures.
   * @param check whether the password was right
   * @throws {TooManyRequests}
   */
  async guard(attempt: Attempt, check: () => Promise<boolean>): Promise<boolean> {
    const taken: (() => Promise<unknown>)[] = [];
    const giveBack = () => Promise.all(taken.map((give) => give()));
    try {
      for (const { of, limiter } of this.limiters) {
        await limiter.consume(of(attempt));
        taken.push(() => limiter.reward(of(attempt)));
      }
      const right = await check();
      if (right) await giveBack();
      return right;
    } catch (fault) {
      await giveBack();
      throw fault instanceof RateLimiterRes ? new TooManyRequests(fault.msBeforeNext) : fault;
    }
  }

  /** Removes counts of windows that are over. */
  sweep(): Promise<number> {
    return this.database.change('DELETE FROM login_failures WHERE expire < $1', [Date.now()]);
  }
}

/** The column is short and an e-mail address may be long. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
