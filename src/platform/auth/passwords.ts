import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Algorithm, hash, verify } from '@node-rs/argon2';
import { TooManyRequests } from './auth.errors.js';

/** OWASP's cost for argon2id: 19 MiB, 2 passes, 1 lane (spec §2). */
const COST = { algorithm: Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** So many may wait for their turn, a few seconds' work; who comes then is told to come back. */
const MOST_WAITING = 200;

/** Hashes at most two passwords at once: a flood of logins must not take the threads that files and DNS need. */
@Injectable()
export class Passwords {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  hash(password: string): Promise<string> {
    return this.atMostTwo(() => hash(password, COST));
  }

  /**
   * Whether a password is right, once it is its turn.
   * @param stored null where there is nothing to compare with: that costs the same, and is never right
   * @param around what is to happen in the same turn, right before and after
   */
  verify(
    stored: string | null,
    password: string,
    around: (check: () => Promise<boolean>) => Promise<boolean>,
  ): Promise<boolean> {
    return this.atMostTwo(() =>
      around(async () => {
        const right = await verify(stored ?? (await nobodysHash()), password);
        return right && stored !== null;
      }),
    );
  }

  private async atMostTwo<T>(work: () => Promise<T>): Promise<T> {
    if (this.waiting.length >= MOST_WAITING) throw new TooManyRequests(2_000);
    if (this.running >= 2) await new Promise<void>((resume) => this.waiting.push(resume));
    else this.running++;
    try {
      return await work();
    } finally {
      const next = this.waiting.shift();
      if (next) next();
      else this.running--;
    }
  }
}

let made: Promise<string> | null = null;

/** The hash of a password that nobody knows, of the same cost as everybody's. */
function nobodysHash(): Promise<string> {
  made ??= hash(randomBytes(32), COST);
  return made;
}
