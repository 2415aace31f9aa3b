import { Injectable } from '@nestjs/common';
import { Algorithm, hash, verify } from '@node-rs/argon2';

/** OWASP's cost for argon2id: 19 MiB, 2 passes, 1 lane (spec §2). */
const COST = { algorithm: Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

/** Hashes at most two passwords at once: a flood of logins must not take the threads that files and DNS need. */
@Injectable()
export class Passwords {
  private running = 0;
  private readonly waiting: (() => void)[] = [];

  hash(password: string): Promise<string> {
    return this.atMostTwo(() => hash(password, COST));
  }

  verify(stored: string, password: string): Promise<boolean> {
    return this.atMostTwo(() => verify(stored, password));
  }

  private async atMostTwo<T>(work: () => Promise<T>): Promise<T> {
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
