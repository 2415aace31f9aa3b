import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Algorithm, hash, verify } from '@node-rs/argon2';
import { Semaphore } from '../concurrency/queues-and-semaphores.js';
import { TooManyRequests } from '../authentication/authentication.errors.js';

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
