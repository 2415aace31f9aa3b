import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Client, PoolClient } from 'pg';
import { DataSource, type QueryRunner } from 'typeorm';
import { openTransaction } from './database.js';
import { isWorthRetrying } from './postgres-errors.js';

const ATTEMPTS = 6;

/** Thrown inside a transaction that found out too late which locks it needs: the whole of it runs anew. */
export class TryAgain extends Error {}

/**
 * Transactions that join or start: inside a running one `run` is a plain call, so that services compose
 * without nested transactions committing apart. READ COMMITTED; correctness comes from locks (spec §6).
 */
@Injectable()
export class Transactions {
  private readonly log = new Logger(Transactions.name);

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Runs `work` in one transaction. After a deadlock or serialization failure the whole of it runs anew, up
   * to 5 times with growing jitter, so `work` must not touch anything but the database; what else there is
   * to do belongs into `afterCommit`.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (openTransaction.get()) return work();
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.once(work);
      } catch (error) {
        if (!(error instanceof TryAgain || isWorthRetrying(error)) || attempt === ATTEMPTS) throw error;
        await pause(Math.random() * 10 * 2 ** attempt);
      }
    }
  }

  /** Does `work` once the running transaction has committed, or at once where none runs. Its faults are logged. */
  afterCommit(work: () => void | Promise<void>): void {
    const transaction = openTransaction.get();
    if (transaction) transaction.afterCommit.push(work);
    else void this.settle([work]);
  }

  private async once<T>(work: () => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    const afterCommit: (() => void | Promise<void>)[] = [];
    let result: T;
    try {
      const client = (await runner.connect()) as PoolClient;
      try {
        await runner.startTransaction('READ COMMITTED');
        result = await openTransaction.enter({ manager: runner.manager, client, afterCommit }, work);
        await runner.commitTransaction();
      } catch (error) {
        await this.undo(runner, client);
        throw error;
      }
    } finally {
      await runner.release();
    }
    await openTransaction.leave(() => this.settle(afterCommit));
    return result;
  }

  /** A connection that could not roll back is ended: the pool must never hand out an open transaction. */
  private async undo(runner: QueryRunner, client: PoolClient): Promise<void> {
    try {
      if (runner.isTransactionActive) await runner.rollbackTransaction();
    } catch {
      await (client as unknown as Client).end().catch(() => undefined);
    }
  }

  private async settle(work: (() => void | Promise<void>)[]): Promise<void> {
    for (const step of work) {
      try {
        await step();
      } catch (error) {
        this.log.error(
          `Work after a commit failed: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    }
  }
}
