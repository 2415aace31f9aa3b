import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const SERVER = resolve(import.meta.dirname, 's3rver-process.mjs');
const END_WITH_PARENT = resolve(import.meta.dirname, 'end-with-parent.mjs');
const BUCKET = 'files';
const OBJECT = '._S3rver_object';

/** An S3 server in its own process. s3rver has fixed credentials. */
export class S3Server {
  private child: ChildProcess | null = null;
  private folder = '';
  private port = '0';

  /** @param options.unfinishedUploads whether it lists unfinished uploads */
  async start({ unfinishedUploads = false } = {}): Promise<this> {
    this.folder ||= await mkdtemp(join(tmpdir(), 'awp-s3-'));
    this.child = spawn(process.execPath, ['--import', END_WITH_PARENT, SERVER, this.folder, BUCKET], {
      env: { PATH: process.env['PATH'], UNFINISHED_UPLOADS: String(unfinishedUploads), PORT: this.port },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [line] = (await once(this.child.stdout!, 'data')) as [Buffer];
    this.port = line.toString().trim();
    return this;
  }

  /** Starts another server with a copy of the bucket. */
  async copy(): Promise<S3Server> {
    const other = new S3Server();
    other.folder = await mkdtemp(join(tmpdir(), 'awp-s3-'));
    await cp(this.folder, other.folder, { recursive: true });
    return other.start();
  }

  /** The settings of a service that stores its attachments here. */
  get settings(): Record<string, string> {
    return {
      ATTACHMENT_STORE: 's3',
      S3_ENDPOINT: `http://127.0.0.1:${this.port}`,
      S3_BUCKET: BUCKET,
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    };
  }

  /** Returns the ids of the attachments whose bytes are stored here. */
  async objects(): Promise<string[]> {
    const names = await namesIn(join(this.folder, BUCKET, 'attachments'));
    return names.flatMap((name) => (name.endsWith(OBJECT) ? name.slice(0, -OBJECT.length) : [])).toSorted();
  }

  /** Returns the uploads that have some parts here. */
  unfinished(): Promise<string[]> {
    return namesIn(join(this.folder, BUCKET, '._S3rver_uploads'));
  }

  /** Returns the file of an object. */
  fileOf(id: string): string {
    return join(this.folder, BUCKET, 'attachments', id + OBJECT);
  }

  signal(signal: NodeJS.Signals): void {
    this.child?.kill(signal);
  }

  /** Stops the server. Its objects stay for the next start, which has the same address. */
  async stop(): Promise<void> {
    if (!this.child || this.child.exitCode !== null || this.child.signalCode !== null) return;
    this.signal('SIGKILL');
    await once(this.child, 'exit');
  }

  async remove(): Promise<void> {
    await this.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder);
  } catch {
    return [];
  }
}
