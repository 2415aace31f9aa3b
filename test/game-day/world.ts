import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { grant, installed, type Installed } from '../api/gateway/mcp-setting.js';
import { LocalCatalog } from '../api/mcp/local-catalog.js';
import { aProject, anIssue, createdBy, type Issue, type Project } from '../support/builders.js';
import type { Caller } from '../support/caller.js';
import { asAdmin, asAgent, asEditor, signedIn } from '../support/callers.js';
import { aCertificate } from '../support/certificate.js';
import { DatabaseProxy } from '../support/database-proxy.js';
import { freePort, postgresTools } from '../support/debian-postgres.js';
import { ReconnectingReader } from '../support/reconnecting-reader.js';
import { S3Server } from '../support/s3-server.js';
import { OWNER, Service } from '../support/service.js';
import { SmallDisk } from '../support/small-disk.js';
import { WebhookTarget } from '../support/webhook-target.js';
import { GameDatabase } from './database.js';
import { NameServer } from './names.js';
import { Workload } from './workload.js';

const CLOCK = pathToFileURL(resolve(import.meta.dirname, '../support/movable-clock.mjs'));
/** The data folder's disk: a real one is larger, and fills as this one does. */
const DATA_DISK_MB = 160;
export const NAMES = {
  database: 'database.game-day.test',
  webhooks: 'hooks.game-day.test',
  files: 'files.game-day.test',
};

/**
 * One installation as an operator has it: the service over TLS with its secrets in files, a PostgreSQL with a standby, an
 * object store, a receiver of webhooks and a server of tools, all of them by name, and people and agents at work.
 */
export class World {
  readonly folder = mkdtempSync(join(tmpdir(), 'awp-game-day-'));
  readonly catalog = new LocalCatalog()
    .stdio('polite', ['misbehaving.mjs', 'polite'])
    .stdio('eater', ['misbehaving.mjs', 'memory-eater']);
  readonly store = new S3Server();
  readonly disk = SmallDisk.of(DATA_DISK_MB);
  database!: GameDatabase;
  /** What the name of the database leads to, like the address that a managed database moves to its new primary. */
  address!: DatabaseProxy;
  names!: NameServer;
  target!: WebhookTarget;
  service!: Service;
  editor!: Caller;
  admin!: Caller;
  agent!: Caller;
  /** The Owner with a session, as the dashboard has it. */
  person!: Caller;
  project!: Project;
  issue!: Issue;
  server!: Installed;
  eater!: Installed;
  workload!: Workload;
  reader!: ReconnectingReader;
  /** What the service is started with. */
  settings: Record<string, string> = {};
  /** The login of the database that another one has replaced. */
  formerLogin = '';

  static async begin(): Promise<World> {
    const world = new World();
    await world.build();
    await world.people();
    return world;
  }

  /** A path in the folder of the installation, such as that of a secret. */
  at(name: string): string {
    return join(this.folder, name);
  }

  /** Replaces a file in one step, as `mv` does. */
  replace(name: string, text: string): void {
    writeFileSync(this.at(`${name}.new`), text);
    renameSync(this.at(`${name}.new`), this.at(name));
  }

  /** Writes the present URL of the database, by its name, into the file that the service reads. */
  writeDatabaseUrl(): void {
    const url = new URL(this.database.url);
    url.hostname = NAMES.database;
    url.port = new URL(this.address.url).port;
    this.replace('database-url', `${url.href}\n`);
  }

  /** Writes a certificate of this many days into the files that the service reads. @param parts which of the two files */
  async writeCertificate(
    days: number,
    parts: readonly ('certificate' | 'key')[] = ['certificate', 'key'],
  ): Promise<void> {
    const made = await aCertificate(days);
    for (const part of parts) this.replace(`${part}.pem`, readFileSync(made[part], 'utf8'));
    await made.remove();
  }

  /** Sets the clock of the service ahead, or back with a negative number. */
  moveClock(hours: number): void {
    writeFileSync(this.at('clock'), String(hours * 3_600_000));
  }

  async remove(): Promise<void> {
    await this.reader?.stop();
    await this.service?.remove();
    await this.target?.stop();
    this.names?.stop();
    await this.address?.stop();
    await this.database?.remove();
    await this.store.remove();
    this.disk.remove();
    this.catalog.remove();
    rmSync(this.folder, { recursive: true, force: true });
  }

  private async build(): Promise<void> {
    this.names = await NameServer.start(this.folder, Object.values(NAMES));
    this.database = await GameDatabase.start(postgresTools()!);
    this.address = await DatabaseProxy.before(this.database.url);
    [this.target] = [await WebhookTarget.start(), await this.store.start()];
    this.writeDatabaseUrl();
    await this.writeCertificate(90);
    this.settings = await this.makeSettings();
    this.service = new Service({
      ownProcess: true,
      database: { url: this.database.superuserUrl },
      within: this.names.within,
      settings: this.settings,
    });
    await this.service.start();
  }

  private async makeSettings(): Promise<Record<string, string>> {
    const { S3_SECRET_ACCESS_KEY, S3_ENDPOINT, ...store } = this.store.settings;
    this.replace('s3-key', S3_SECRET_ACCESS_KEY!);
    return {
      ...{ DATABASE_URL: '', DATABASE_URL_FILE: this.at('database-url') },
      ...store,
      S3_ENDPOINT: S3_ENDPOINT!.replace('127.0.0.1', NAMES.files),
      S3_SECRET_ACCESS_KEY_FILE: this.at('s3-key'),
      DATA_DIR: join(this.disk.folder, 'data'),
      PORT: String(await freePort()),
      TLS_CERT_FILE: this.at('certificate.pem'),
      TLS_KEY_FILE: this.at('key.pem'),
      CATALOG_DIRS: this.catalog.folder,
      OUTBOUND_ALLOWED_HOSTS: `${NAMES.webhooks}:${new URL(this.target.url).port}`,
      MCP_PROCESS_MEMORY_MB: '256',
      // A lease whose pickup was never answered would be handed out again, rightly, and be finished twice.
      LEASE_SECONDS: '3600',
      NODE_OPTIONS: `--import=${CLOCK.href}?file=${encodeURIComponent(this.at('clock'))}`,
    };
  }

  private async people(): Promise<void> {
    const { service } = this;
    [this.editor, this.admin] = [(await asEditor(service)).unchecked(), await asAdmin(service)];
    this.agent = (await asAgent(service, { maxConcurrentIssues: 1_000 })).unchecked();
    this.person = (await signedIn(service, OWNER, OWNER.password)).unchecked();
    this.project = await aProject(this.editor, { name: 'Game day' });
    // Before the first issue, so that the reader has every event of it.
    this.reader = await ReconnectingReader.begin(this.editor);
    this.issue = await anIssue(this.editor, this.project, { title: 'The issue with comments and files' });
    [this.server, this.eater] = [await installed(service, 'polite'), await installed(service, 'eater')];
    for (const server of [this.server, this.eater]) await grant(service, server, this.agent);
    const url = this.target.url.replace('127.0.0.1', NAMES.webhooks);
    // Those that the day compares. One address does not keep up with all events of this workload.
    const eventTypes = ['issue.created'];
    await createdBy(this.admin, '/api/webhooks', { url, eventTypes, projectId: this.project.id });
    this.workload = new Workload(
      this.editor,
      this.agent,
      this.project,
      this.issue,
      `${this.server.slug}__echo`,
    );
    this.workload.begin();
  }
}
