import { Injectable } from '@nestjs/common';
import { setTimeout as pause } from 'node:timers/promises';
import { JournalHead } from './journal-head.js';
import { JournalHeadRepository } from './journal-head.repository.js';

const BEGIN_PATIENCE_MS = 60_000;
const BEGIN_PAUSE_MS = 20;

/** Follows the journal's end in this process, for whoever reads on from a position: events and webhooks. */
@Injectable()
export class JournalTail {
  private head: JournalHead | null = null;
  private looking: Promise<number> | null = null;

  constructor(private readonly repository: JournalHeadRepository) {}

  /** How far the journal is final now: everything up to this position has committed, or never will. */
  look(): Promise<number> {
    this.looking ??= this.lookOnce().finally(() => (this.looking = null));
    return this.looking;
  }

  /** The greatest position that is committed now; what commits from now on may still lie below it. */
  last(): Promise<number> {
    return this.repository.last();
  }

  private async lookOnce(): Promise<number> {
    this.head ??= await this.begin();
    if (await this.advance(this.head)) {
      this.head.bar(await this.repository.newTransactionId());
      await this.advance(this.head);
    }
    return this.head.at;
  }

  private async advance(head: JournalHead): Promise<boolean> {
    return head.advance(await this.repository.look(head.at), Date.now());
  }

  /** Below the last position there may be gaps that nobody has seen: they are waited out. */
  private async begin(): Promise<JournalHead> {
    const last = await this.repository.last();
    const barrier = await this.repository.newTransactionId();
    const until = Date.now() + BEGIN_PATIENCE_MS;
    while ((await this.repository.look(last)).oldestRunning < barrier && Date.now() < until)
      await pause(BEGIN_PAUSE_MS);
    return new JournalHead(last);
  }
}
