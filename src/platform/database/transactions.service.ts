import { setTimeout as pause } from 'node:timers/promises';
import { Injectable, Logger } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Client, Pool, PoolClient } from 'pg';
import { DataSource, type DataSourceOptions, type QueryRunner, type ReplicationMode } from 'typeorm';
import { ContextSlot } from '../concurrency/queues-semaphores-and-context-slots.js';
import { inSpan } from '../tracing/spans.js';
import { isWorthRetrying, outcomeUnknown } from './postgres-errors.js';
import { nameOf, tracedStatement } from './service.client.js';

const ATTEMPTS = 6;

type AfterCommit = () => void | Promise<void>;

interface OpenTransaction {
  runner: QueryRunner;
  /** The driver's client of the runner. */
  client: PoolClient;
  afterCommit: AfterCommit[];
}

const current = new ContextSlot<OpenTransaction>();

/**
 * A data source whose statements join the transaction that `TransactionsService` runs around them. Repositories, query
 * builders and `query` ask it for a connection at the moment of each statement, so that an injected repository takes part
 * without knowing (decision 0053).
 */
export class JoiningDataSource extends DataSource {
  constructor(options: DataSourceOptions) {
    super(options);
    // TypeORM refuses entities with a type that its list lacks.
    (this.driver.supportedDataTypes as string[]).push('xid8', 'pg_snapshot');
  }

  override createQueryRunner(mode?: ReplicationMode): QueryRunner {
    return current.get()?.runner ?? super.createQueryRunner(mode);
  }

  /**
   * Runs a statement of the service's own past TypeORM's runner, which took a tenth of the processor time of a tool call.
   * @returns rows; of UPDATE and DELETE `[rows, count]`, as TypeORM does
   * @throws the error of node-postgres itself
   */
  override async query<Result = unknown>(
    sql: string,
    parameters: unknown[] = [],
    runner?: QueryRunner,
  ): Promise<Result> {
    if (runner) return super.query<Result>(sql, parameters, runner);
    const client = current.get()?.client;
    const { command, rows, rowCount } = client
      ? await client.query(sql, parameters)
      : await tracedStatement(nameOf(sql), sql, () => this.pool.query(sql, parameters));
    return (command === 'UPDATE' || command === 'DELETE' ? [rows, rowCount] : rows) as Result;
  }

  /**
   * Waits for the statements and transactions that are open, such as one whose client has left. TypeORM would release
   * their connections first, until none of its list is left; a transaction keeps its own until it ends, so that would
   * never end, in a loop that lets nothing else of the process run.
   */
  override async destroy(): Promise<void> {
    (this.driver as unknown as { connectedQueryRunners: QueryRunner[] }).connectedQueryRunners = [];
    await super.destroy();
  }

  private get pool(): Pool {
    return (this.driver as unknown as { master: Pool }).master;
  }
}

/** Runs `work` outside of the transaction that is open around it, for what must not see or block it. */
export const outsideTransaction = <T>(work: () => T): T => current.exit(work);

/** Thrown inside a transaction that learned too late which locks it needs: the whole transaction runs again. */
export class TryAgain extends Error {}

/**
 * Starts transactions, or joins the running one: inside it `run` is a plain call, so that services compose without
 * nested transactions that commit separately. The isolation level is READ COMMITTED; correctness comes from locks
 * (contract §6).
 */
@Injectable()
export class TransactionsService {
  private readonly log = new Logger(TransactionsService.name);

  constructor(@InjectDataSource() private readonly dataSource: DataSource) {}

  /**
   * Runs `work` in one transaction. After a deadlock or serialization failure all of it runs again, up to 5 times
   * with growing jitter, so `work` must change nothing but the database; everything else belongs in `afterCommit`.
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    if (current.get()) return work();
    for (let attempt = 1; ; attempt += 1) {
      try {
        return await inSpan('transaction', {}, () => this.once(work));
      } catch (error) {
        if (!(error instanceof TryAgain || isWorthRetrying(error)) || attempt === ATTEMPTS) throw error;
        await pause(Math.random() * 10 * 2 ** attempt);
      }
    }
  }

  /** Runs `work` once the running transaction has committed, or at once when there is none. Its errors are logged. */
  afterCommit(work: () => void | Promise<void>): void {
    const transaction = current.get();
    if (transaction) transaction.afterCommit.push(work);
    else void this.settle([work]);
  }

  private async once<T>(work: () => Promise<T>): Promise<T> {
    const runner = this.dataSource.createQueryRunner();
    const release = runner.release.bind(runner);
    // TypeORM releases a runner that it asked for after each statement; this one is released after the transaction.
    runner.release = async () => undefined;
    const afterCommit: AfterCommit[] = [];
    let result: T;
    try {
      const client = (await runner.connect()) as PoolClient;
      try {
        await runner.startTransaction();
        result = await current.run({ runner, client, afterCommit }, work);
      } catch (error) {
        await this.undo(runner, client);
        throw error;
      }
      await this.commit(runner, client, afterCommit);
    } finally {
      await release();
    }
    await outsideTransaction(() => this.settle(afterCommit));
    return result;
  }

  /** What waits for a commit happens too when the confirmation comes after the caller was refused. */
  private async commit(runner: QueryRunner, client: PoolClient, afterCommit: AfterCommit[]): Promise<void> {
    try {
      await runner.commitTransaction();
    } catch (error) {
      const unknown = outcomeUnknown(error);
      if (!unknown) await this.undo(runner, client);
      void unknown?.settled.then((isConfirmed) =>
        isConfirmed ? outsideTransaction(() => this.settle(afterCommit)) : undefined,
      );
      throw error;
    }
  }

  /** Ends a connection that could not roll back: the pool must never hand out an open transaction. */
  private async undo(runner: QueryRunner, client: PoolClient): Promise<void> {
    try {
      if (runner.isTransactionActive) await runner.rollbackTransaction();
    } catch {
      // The caller receives the error that made the transaction fail; a broken connection may refuse to end as well.
      await (client as unknown as Client).end().catch(() => undefined);
    }
  }

  private async settle(work: AfterCommit[]): Promise<void> {
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
