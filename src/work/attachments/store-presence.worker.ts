import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectDataSource } from '@nestjs/typeorm';
import { randomUUID } from 'node:crypto';
import { link, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DataSource } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { RepeatedFailure } from '../../platform/failures/repeated-failure.js';
import {
  JournalConnectionClient,
  PRESENCE_CHANNEL,
} from '../../platform/journal/journal-connection.client.js';

/** Not the name of an attachment, which is a UUID. */
const FILE = '.store-id';

/**
 * Returns the id of the store in a folder, which the first process that uses the folder gives it. Two processes whose ids
 * differ keep attachments in two places, whatever the paths of their folders are called.
 * @throws {Error} of the file system, when the id can be neither read nor written
 */
export async function storeIdOf(folder: string): Promise<string> {
  const known = await read(folder);
  if (known !== null) return known;
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${FILE}.${randomUUID()}`);
  await writeFile(draft, randomUUID(), { mode: 0o600, flag: 'wx' });
  try {
    // The name appears with its whole contents, and for one of several processes that start at once.
    await link(draft, join(folder, FILE));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  } finally {
    await rm(draft, { force: true });
  }
  return readFile(join(folder, FILE), 'utf8');
}

async function read(folder: string): Promise<string | null> {
  try {
    return await readFile(join(folder, FILE), 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    return null;
  }
}

/** What a process says of its store of attachments to the other processes of its database. */
export interface StorePresence {
  /** The id of this process, made at its start. */
  process: string;
  /** The id of its store. */
  store: string;
  folder: string;
  host: string;
}

/** Returns what a process sent, or null for any other text: any user of the database may send one. */
export function presenceIn(payload: string): StorePresence | null {
  try {
    const { process, store, folder, host } = JSON.parse(payload) as Record<string, unknown>;
    const parts = [process, store, folder, host];
    if (!parts.every((part) => typeof part === 'string')) return null;
    const [from, id, path, name] = parts;
    return { process: from!, store: id!, folder: path!, host: name! };
  } catch {
    // No JSON, or no object.
    return null;
  }
}

/** Returns the warning for two processes that keep attachments in two places. */
export function warningOf(own: StorePresence, other: StorePresence): string {
  return `Attachments are kept in two places: this process keeps them in ${own.folder} on ${own.host}, and another one on this database in ${other.folder} on ${other.host}. Neither has the files of the other. Let both use one folder, such as a network disk mounted there, or set ATTACHMENT_STORE=s3.`;
}

/** Compares the store of this process with those of the others (contract §9.3). */
export class StoreComparison {
  private readonly heard = new Set<string>();
  private readonly warned = new Set<string>();

  constructor(private readonly own: StorePresence) {}

  /**
   * Takes note of what a process says.
   * @returns whether that process is new, so that it should hear of this one, and the warning that is due, once per store
   */
  hear(payload: string): { isNew: boolean; warning: string | null } {
    const other = presenceIn(payload);
    if (!other || other.process === this.own.process) return { isNew: false, warning: null };
    const isNew = !this.heard.has(other.process);
    this.heard.add(other.process);
    if (other.store === this.own.store || this.warned.has(other.store)) return { isNew, warning: null };
    this.warned.add(other.store);
    return { isNew, warning: warningOf(this.own, other) };
  }
}

/** A notification that is lost is sent again after this time. */
const EVERY_MS = 60_000;

/**
 * Warns of two live processes on one database that keep attachments in different folders (contract §9.3): each sends the id
 * of its store to the others, at its start, every minute, and to each process that it hears of for the first time. Nothing
 * is stored, so a process that has ended is not compared with. The store in a bucket and that of the embedded database,
 * which has one process, need no comparison; a tools host keeps no attachments.
 */
@Injectable()
export class StorePresenceWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(StorePresenceWorker.name);
  private readonly failure = new RepeatedFailure(
    this.log,
    'The store of attachments could not be compared with that of other processes',
  );
  private timer: NodeJS.Timeout | null = null;
  private isEnding = false;

  constructor(
    private readonly connection: JournalConnectionClient,
    @InjectDataSource() private readonly source: DataSource,
    private readonly settings: Settings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { duties, s3, databaseUrl } = this.settings;
    if (s3 || databaseUrl === null || !(duties.requests || duties.background)) return;
    const own = await this.describe();
    if (!own) return;
    const comparison = new StoreComparison(own);
    this.connection.present.subscribe((payload) => {
      const { isNew, warning } = comparison.hear(payload);
      if (warning !== null) this.log.warn(warning);
      if (isNew) void this.send(own);
    });
    this.connection.connected.subscribe(() => void this.send(own));
    this.timer = setInterval(() => void this.send(own), EVERY_MS).unref();
    // Who is not listening yet would miss the answers.
    if (this.connection.isConnected) await this.send(own);
  }

  beforeApplicationShutdown(): void {
    this.isEnding = true;
    if (this.timer) clearInterval(this.timer);
  }

  /** A folder that cannot be written is reported by the first upload, and must not end the start. */
  private async describe(): Promise<StorePresence | null> {
    const folder = join(this.settings.dataDir, 'attachments');
    try {
      return { process: randomUUID(), store: await storeIdOf(folder), folder, host: hostname() };
    } catch (error) {
      this.failure.failed(error);
      return null;
    }
  }

  private async send(own: StorePresence): Promise<void> {
    if (this.isEnding) return;
    try {
      await this.source.query('SELECT pg_notify($1, $2)', [PRESENCE_CHANNEL, JSON.stringify(own)]);
      this.failure.succeeded();
    } catch (error) {
      this.failure.failed(error);
    }
  }
}
