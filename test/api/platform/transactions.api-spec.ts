import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { DataSource } from 'typeorm';
import { dataSourceOptions } from '../../../src/platform/database/data-source-pool-and-limits.js';
import { isUnavailable } from '../../../src/platform/database/postgres-errors.js';
import {
  JoiningDataSource,
  outsideTransaction,
  TransactionsService,
} from '../../../src/platform/database/transactions.service.js';
import { entityClasses } from '../../support/entity-classes.js';
import { createDatabase, type TestDatabase } from '../../support/postgres.mjs';

const PID = 'SELECT pg_backend_pid() AS pid';

describe('a transaction', () => {
  let database: TestDatabase;
  let source: DataSource;
  let transactions: TransactionsService;
  beforeAll(async () => {
    database = await createDatabase();
    const entities = await entityClasses();
    // Without migrations: TypeORM imports their files from CommonJS, and Jest sometimes hands such an import to the loader
    // of a test file that has ended.
    const options = { ...dataSourceOptions(database.url, 10), entities, migrations: [] };
    source = await new JoiningDataSource(options).initialize();
    transactions = new TransactionsService(source);
  });
  afterAll(async () => {
    await source?.destroy();
    await database?.drop();
  });
  const chores = () => source.getRepository<{ name: string; ranAt: Date }>('chores');
  const names = async (): Promise<string[]> => (await chores().find()).map(({ name }) => name).toSorted();
  const pid = async (): Promise<number> => (await source.query<{ pid: number }[]>(PID))[0]!.pid;

  it('is joined by the repository of every entity, and left by none', async () => {
    expect(source.entityMetadatas.length).toBeGreaterThan(60);
    await transactions.run(async () => {
      const own = await pid();
      for (const { target } of source.entityMetadatas) {
        const repository = source.getRepository(target);
        const [row] = await repository.query<{ pid: number }[]>(PID);
        expect(row!.pid).toBe(own);
        const raw = await repository
          .createQueryBuilder()
          .select('pg_backend_pid()', 'pid')
          .limit(1)
          .getRawOne();
        if (raw) expect(raw).toEqual({ pid: own });
      }
      expect(await outsideTransaction(pid)).not.toBe(own);
    });
  });

  it('leaves nothing of what it wrote when it fails, whichever way it wrote', async () => {
    const failing = transactions.run(async () => {
      await chores().insert({ name: 'by insert', ranAt: new Date() });
      await chores()
        .createQueryBuilder()
        .insert()
        .values({ name: 'by builder', ranAt: new Date() })
        .execute();
      await source.query(`INSERT INTO chores (name, ran_at) VALUES ('by query', now())`);
      await transactions.run(() => chores().insert({ name: 'inside', ranAt: new Date() }));
      expect(await names()).toEqual(['by builder', 'by insert', 'by query', 'inside']);
      expect(await outsideTransaction(names)).toEqual([]);
      throw new Error('It fails at its end.');
    });
    await expect(failing).rejects.toThrow('It fails at its end.');
    expect(await names()).toEqual([]);
  });

  it('does not mix with seven others at once', async () => {
    const runs = Array.from({ length: 8 }, (_, at) =>
      transactions.run(async () => {
        const own = await pid();
        await chores().insert({ name: `of ${at}`, ranAt: new Date() });
        await pause(at % 3);
        expect(await names()).toContain(`of ${at}`);
        expect(await pid()).toBe(own);
        if (at % 2 === 1) throw new Error('odd');
        return own;
      }),
    );
    const ended = await Promise.allSettled(runs);
    const connections = ended.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
    expect(new Set(connections).size).toBe(4);
    expect(await names()).toEqual(['of 0', 'of 2', 'of 4', 'of 6']);
  });

  it.each([
    ['between two statements', async () => undefined],
    ['during a statement', () => source.query('SELECT pg_sleep(60)')],
  ])('counts as unavailable when its connection is cut %s, and the next one runs', async (_, meanwhile) => {
    const cut = transactions.run(async () => {
      const own = await pid();
      const running = meanwhile();
      await outsideTransaction(() => source.query('SELECT pg_terminate_backend($1, 5000)', [own]));
      await running;
      await names();
    });
    const error = await cut.catch((reason: unknown) => reason);
    expect(isUnavailable(error)).toBe(true);
    expect(await transactions.run(pid)).toEqual(expect.any(Number));
  });
});
