import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Inject, Injectable } from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import type { Response } from 'express';
import { pack, type Pack } from 'tar-stream';
import { DataSource, type QueryRunner } from 'typeorm';
import { Problem } from '../../platform/http/problem.js';
import { areBytesMissing, ATTACHMENT_STORE, type AttachmentStore } from '../attachments/attachment-store.js';
import type { SeenProject } from '../projects/projects-members-and-graph-lock.repository.js';
import { ATTACHED, EXPORTED, FORMAT, FORMAT_VERSION, LEFT_OUT } from './export-lines-sql.js';

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

  constructor(
    @InjectDataSource() private readonly source: DataSource,
    @Inject(ATTACHMENT_STORE) private readonly store: AttachmentStore,
  ) {}

  /** @param project that the caller sees and may write in */
  async send(project: SeenProject, form: 'ndjson' | 'tar', response: Response): Promise<void> {
    if (this.running >= MOST_AT_ONCE) throw new TooManyExports();
    this.running += 1;
    response.setHeader('Content-Type', `application/x-${form}`);
    response.setHeader('Content-Disposition', `attachment; filename="${project.key}.${form}"`);
    const snapshot = new Snapshot(this.source.createQueryRunner(), project);
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new TooLate()), LONGEST_MS);
    const left = new AbortController();
    response.once('close', () => left.abort());
    try {
      const isOver = AbortSignal.any([late.signal, left.signal]);
      const bytes = form === 'tar' ? archiveOf(snapshot, this.store, isOver) : snapshot.lines();
      await pour(Readable.from(bytes, { objectMode: false }), response, late.signal);
    } finally {
      clearTimeout(timer);
      this.running -= 1;
      await snapshot.end();
    }
  }
}

class TooLate extends Error {
  override readonly message = 'An export was not read to its end within 30 minutes.';
}

/** What a project was at one moment, read as often as needed. */
class Snapshot {
  private hasBegun = false;
  private ended: Promise<void> | null = null;

  constructor(
    private readonly runner: QueryRunner,
    private readonly project: SeenProject,
  ) {}

  /** The lines of the export, some at a time. */
  async *lines(): AsyncGenerator<string> {
    await this.begin();
    const { key, name, description } = this.project;
    yield lineOf('project', { format: FORMAT, version: FORMAT_VERSION, key, name, description });
    const written: Record<string, number> = {};
    for (const { kind, sql } of EXPORTED) {
      written[kind] ??= 0;
      for await (const rows of this.pages(sql)) {
        written[kind] += rows.length;
        yield rows.map((row) => lineOf(kind, row)).join('');
      }
    }
    const [leftOut] = (await this.runner.query(LEFT_OUT, [this.project.id])) as object[];
    yield lineOf('end', { written, leftOut });
  }

  /** The rows of a statement, from a cursor. */
  async *pages<Row extends object>(sql: string): AsyncGenerator<Row[]> {
    await this.runner.query(`DECLARE exported NO SCROLL CURSOR FOR ${sql}`, [this.project.id]);
    for (;;) {
      const rows = (await this.runner.query(`FETCH ${ROWS_PER_PAGE} FROM exported`)) as Row[];
      if (rows.length > 0) yield rows;
      if (rows.length < ROWS_PER_PAGE) break;
    }
    await this.runner.query('CLOSE exported');
  }

  /** Ends the snapshot, also where a reader has left in the middle of it. */
  end(): Promise<void> {
    return (this.ended ??= this.release());
  }

  private async release(): Promise<void> {
    try {
      if (this.runner.isTransactionActive) await this.runner.rollbackTransaction();
    } finally {
      await this.runner.release();
    }
  }

  private async begin(): Promise<void> {
    if (this.hasBegun) return;
    this.hasBegun = true;
    await this.runner.startTransaction('REPEATABLE READ');
    await this.runner.query('SET TRANSACTION READ ONLY');
    for (const limit of LIMITS.split('; ')) await this.runner.query(limit);
  }
}

/**
 * Writes a tar with the lines and the bytes of the attachments. The size of a file stands before it in a tar, so the lines are read
 * twice from the snapshot, which ends before the attachments: their bytes may take long, and of them only ids and sizes are
 * kept. What has been deleted since is named in the last file, without which an archive is not whole.
 */
async function* archiveOf(
  snapshot: Snapshot,
  store: AttachmentStore,
  isOver: AbortSignal,
): AsyncGenerator<Buffer> {
  const archive = pack();
  // A store that does not respond leaves nothing to read, and a generator that waits does not hear that its reader has left.
  isOver.addEventListener('abort', () => archive.destroy(), { once: true });
  const written = putLines(archive, snapshot);
  written
    .then((files) => putFiles(archive, store, files))
    .then(
      () => archive.finalize(),
      (error: Error) => archive.destroy(error),
    );
  try {
    // `yield*` would hand the error of a reader that has left to the archive, whose event has no listener: it would end the process.
    for await (const bytes of archive as AsyncIterable<Buffer>) yield bytes;
  } finally {
    archive.destroy();
    // The snapshot is released after this. What the store has not sent yet is dropped when it arrives.
    await written.catch(() => undefined);
  }
}

interface AttachedFile {
  id: string;
  size: number;
}

/** Writes the lines, and ends the snapshot. @returns the files that follow */
async function putLines(archive: Pack, snapshot: Snapshot): Promise<AttachedFile[]> {
  let size = 0;
  for await (const text of snapshot.lines()) size += Buffer.byteLength(text);
  await put(archive, { name: 'export.ndjson', size }, Readable.from(snapshot.lines(), { objectMode: false }));
  const files: AttachedFile[] = [];
  for await (const rows of snapshot.pages<AttachedFile>(ATTACHED)) files.push(...rows);
  await snapshot.end();
  return files;
}

async function putFiles(
  archive: Pack,
  store: AttachmentStore,
  files: readonly AttachedFile[],
): Promise<void> {
  const missing: string[] = [];
  for (const file of files) {
    const bytes = await bytesOf(store, file);
    if (bytes) await put(archive, { name: `attachments/${file.id}`, size: Number(file.size) }, bytes);
    else missing.push(file.id);
  }
  const end = `${JSON.stringify({ files: files.length - missing.length, missing })}\n`;
  await put(archive, { name: 'end.json', size: Buffer.byteLength(end) }, Readable.from([end]));
}

/** Returns null for an attachment that was deleted meanwhile. */
async function bytesOf(store: AttachmentStore, { id, size }: AttachedFile) {
  if (Number(size) === 0) return Readable.from([]);
  try {
    return await store.read(id, { start: 0, end: Number(size) - 1 });
  } catch (error) {
    if (areBytesMissing(error)) return null;
    throw error;
  }
}

/** Adds a file, as fast as the reader takes it. */
async function put(archive: Pack, header: { name: string; size: number }, bytes: Readable): Promise<void> {
  try {
    await new Promise<void>((done, fail) => {
      const entry = archive.entry(header, (error) => (error ? fail(error) : done()));
      // It calls back with its error too, and an event without a listener would end the process.
      entry.on('error', () => undefined);
      bytes.once('error', (error) => entry.destroy(error));
      bytes.pipe(entry);
    });
  } finally {
    bytes.destroy();
  }
}

const lineOf = (kind: string, row: object) => `${JSON.stringify({ kind, ...row })}\n`;

/** Sends the lines. A reader that closes the connection is not an error. */
async function pour(lines: Readable, response: Response, late: AbortSignal): Promise<void> {
  try {
    await pipeline(lines, response, { signal: late });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_STREAM_PREMATURE_CLOSE') throw error;
  }
}
