import { createHash, randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Algorithm, hash, verify } from '@node-rs/argon2';
import { InjectRepository } from '@nestjs/typeorm';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { LessThan, Repository } from 'typeorm';
import { Semaphore } from '../concurrency/queues-semaphores-and-context-slots.js';
import { TooManyRequests } from '../authentication/authentication.errors.js';
import { ChoresWorker } from '../chores/chores.worker.js';
import { DatabaseService } from '../database/database.service.js';
import { clientNetwork } from '../authentication/request-limits-and-refusal-records.service.js';
import { LoginFailure } from '../authentication/authentication.entities.js';

/** OWASP's cost for argon2id: 19 MiB, 2 passes, 1 lane (contract §2.6). */
const COST = { algorithm: Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** The queue is a few seconds' work. Further requests are refused with 429. */
const MOST_WAITING = 200;

/**
 * Hashes at most two passwords at once, because a flood of logins must not take the threads that files and DNS need.
 */
@Injectable()
export class PasswordsService {
  private readonly hashing = new Semaphore(2);

  hash(password: string): Promise<string> {
    return this.atMostTwo(() => hash(password, COST));
  }

  /**
   * Returns whether a password is right, once it is its turn.
   * @param stored the stored hash; null is never right and costs the same, so that unknown users take no less time
   * @param around runs in the same turn and calls the check
   */
  verify(
    stored: string | null,
    password: string,
    around: (check: () => Promise<boolean>) => Promise<boolean>,
  ): Promise<boolean> {
    return this.atMostTwo(() =>
      around(async () => {
        const right = await verify(stored ?? (await decoyHash()), password);
        return right && stored !== null;
      }),
    );
  }

  private async atMostTwo<T>(work: () => Promise<T>): Promise<T> {
    if (this.hashing.waiting >= MOST_WAITING) throw new TooManyRequests(2_000);
    return this.hashing.run(work);
  }
}

let made: Promise<string> | null = null;

/** Returns the hash of a random password, of the same cost as a stored one. */
function decoyHash(): Promise<string> {
  made ??= hash(randomBytes(32), COST);
  return made;
}

/** Failures are counted per 15 minutes in the database, so that the limits hold across processes (contract §2.6). */
const WINDOW_SECONDS = 900;
const PER_ACCOUNT = 10;
const PER_NETWORK = 50;
/** How long an account's successful login makes its network known. */
const KNOWN_SECONDS = 30 * 86_400;

/** One attempt at a password. `account` is the user's id, or an e-mail address that no user has. */
export interface Attempt {
  account: string;
  /** The client's address; null where it is unknown. */
  address: string | null;
}

/**
 * Throttles guesses at passwords. A point is taken before the password is checked, and returned when it was right. So
 * of many concurrent guesses no more than the limit are checked. Guesses from elsewhere do not lock a user out where it
 * has signed in before: a network that is known for an account has a count of its own.
 */
@Injectable()
export class PasswordThrottleService {
  private readonly networks: RateLimiterPostgres;
  private readonly accounts: RateLimiterPostgres;
  private readonly knownPairs: RateLimiterPostgres;
  /** Holds no failures: a row says that the account has signed in from the network. */
  private readonly known: RateLimiterPostgres;

  constructor(
    database: DatabaseService,
    chores: ChoresWorker,
    @InjectRepository(LoginFailure) private readonly failures: Repository<LoginFailure>,
  ) {
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
    this.networks = limiter('address', PER_NETWORK);
    this.accounts = limiter('account', PER_ACCOUNT);
    this.knownPairs = limiter('pair', PER_ACCOUNT);
    this.known = limiter('known', 1);
    chores.add({ name: 'expired counts of failed logins', everySeconds: 3_600, run: () => this.sweep() });
  }

  /**
   * Runs `check` unless there were too many failures.
   * @param check returns whether the password was right
   * @throws {TooManyRequests} when the account or the network has used up its failures
   */
  async guard({ account, address }: Attempt, check: () => Promise<boolean>): Promise<boolean> {
    const network = clientNetwork(address);
    const pair = digestOf(`${account} ${network}`);
    const isKnown = (await this.known.get(pair)) !== null;
    const right = await this.counted(
      [
        { key: network, limiter: this.networks },
        isKnown
          ? { key: pair, limiter: this.knownPairs }
          : { key: digestOf(account), limiter: this.accounts },
      ],
      check,
    );
    if (right && !isKnown) await this.known.set(pair, 0, KNOWN_SECONDS);
    return right;
  }

  /** Removes the counts of windows that have expired; nothing depends on when. @returns how many */
  private async sweep(): Promise<number> {
    return (await this.failures.delete({ expire: LessThan(Date.now()) })).affected ?? 0;
  }

  private async counted(
    limits: { key: string; limiter: RateLimiterPostgres }[],
    check: () => Promise<boolean>,
  ): Promise<boolean> {
    const taken: (() => Promise<unknown>)[] = [];
    const giveBack = () => Promise.all(taken.map((give) => give()));
    try {
      for (const { key, limiter } of limits) {
        await limiter.consume(key);
        taken.push(() => limiter.reward(key));
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
