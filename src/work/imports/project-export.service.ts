import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Response } from 'express';
import { DataSource, type QueryRunner } from 'typeorm';
import { Problem } from '../../platform/http/problem.js';
import type { SeenProject } from '../projects/projects-members-and-graph-lock.repository.js';
import { EXPORTED, FORMAT, FORMAT_VERSION, LEFT_OUT } from './export-lines-sql.js';

/** Each export holds a connection of the pool and a snapshot of the database. */
const MOST_AT_ONCE = 2;
/** A snapshot keeps PostgreSQL from removing old rows, so that no reader may hold one for longer. */
const LONGEST_MS = 1_800_000;
const ROWS_PER_PAGE = 100;

/**
 * The first page of a kind may have to sort all of its rows. The connection is idle while the reader is slow: a reader that takes nothing
 * is disconnected within 65 seconds (contract §1.4).
 */
const LIMITS = `SET LOCAL statement_timeout = '120s'; SET LOCAL idle_in_transaction_session_timeout = '120s'`;

/** 429: this process writes as many exports as it may. */
class TooManyExports extends Problem {
  constructor() {
    super(
      'rate_limited',
      `At most ${MOST_AT_ONCE} exports are written at once; try again when one is complete.`,
      { headers: { 'Retry-After': '10' } },
    );
  }
}

/**
 * Writes a project as lines of JSON (contract §5.12): from one snapshot, page by page as fast as the reader takes it. Memory does not
 * depend on the size of the project, because each kind of rows is read from a cursor of PostgreSQL.
 */
@Injectable()
export class ProjectExportService {
  private running = 0;

  constructor(@InjectDataSource() private readonly source: DataSource) {}

  /** @param project that the caller sees and may write in */
  async send(project: SeenProject, response: Response): Promise<void> {
    if (this.running >= MOST_AT_ONCE) throw new TooManyExports();
    this.running += 1;
    response.setHeader('Content-Type', 'application/x-ndjson');
    response.setHeader('Content-Disposition', `attachment; filename="${project.key}.ndjson"`);
    try {
      await pour(Readable.from(this.linesOf(project), { objectMode: false }), response);
    } finally {
      this.running -= 1;
    }
  }

  private async *linesOf(project: SeenProject): AsyncGenerator<string> {
    const runner = this.source.createQueryRunner();
    const until = performance.now() + LONGEST_MS;
    try {
      await runner.startTransaction('REPEATABLE READ');
      await runner.query('SET TRANSACTION READ ONLY');
      for (const limit of LIMITS.split('; ')) await runner.query(limit);
      const { key, name, description } = project;
      yield lineOf('project', { format: FORMAT, version: FORMAT_VERSION, key, name, description });
      const written: Record<string, number> = {};
      for (const { kind, sql } of EXPORTED) {
        written[kind] ??= 0;
        for await (const rows of pagesOf(runner, sql, project.id)) {
          if (performance.now() > until)
            throw new Error('An export was not read to its end within 30 minutes.');
          written[kind] += rows.length;
          yield rows.map((row) => lineOf(kind, row)).join('');
        }
      }
      const [leftOut] = (await runner.query(LEFT_OUT, [project.id])) as object[];
      yield lineOf('end', { written, leftOut });
    } finally {
      await release(runner);
    }
  }
}

async function* pagesOf(runner: QueryRunner, sql: string, projectId: string): AsyncGenerator<object[]> {
  await runner.query(`DECLARE exported NO SCROLL CURSOR FOR ${sql}`, [projectId]);
  for (;;) {
    const rows = (await runner.query(`FETCH ${ROWS_PER_PAGE} FROM exported`)) as object[];
    if (rows.length > 0) yield rows;
    if (rows.length < ROWS_PER_PAGE) break;
  }
  await runner.query('CLOSE exported');
}

const lineOf = (kind: string, row: object) => `${JSON.stringify({ kind, ...row })}\n`;

/** Ends the snapshot, also where a reader has left in the middle of it. */
async function release(runner: QueryRunner): Promise<void> {
  try {
    if (runner.isTransactionActive) await runner.rollbackTransaction();
  } finally {
    await runner.release();
  }
}

/** Sends the lines. A reader that closes the connection is not an error. */
async function pour(lines: Readable, response: Response): Promise<void> {
  try {
    await pipeline(lines, response);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
