import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { DatabaseService } from '../../database/database.service.js';
import { TooManyRequests } from '../auth.errors.js';

/** Failures are counted per 15 minutes in the database, so that the limits hold across processes (contract §2.6). */
const WINDOW_SECONDS = 900;
const PER_ACCOUNT = 10;
const PER_ADDRESS = 50;

/** One attempt at a password. `account` is the user's id, or an e-mail address that no user has. */
export interface Attempt {
  account: string;
  /** The client's address; null where it is unknown. */
  address: string | null;
}

/**
 * Throttles guesses at passwords. A point is taken before the password is checked, and returned when it was right. So
 * of many concurrent guesses no more than the limit are checked.
 */
@Injectable()
export class PasswordThrottleService {
  private readonly limiters: { of: (attempt: Attempt) => string; limiter: RateLimiterPostgres }[];

  constructor(database: DatabaseService) {
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
   * @param check returns whether the password was right
   * @throws {TooManyRequests} when the account or the address has used up its failures
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
    } catch (error) {
      await giveBack();
      throw error instanceof RateLimiterRes ? new TooManyRequests(error.msBeforeNext) : error;
    }
  }
}

/** Returns a short name for a text, because the column is short and an e-mail address may be long. */
function digestOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
