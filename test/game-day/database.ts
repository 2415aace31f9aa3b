import { randomBytes } from 'node:crypto';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { canary } from '../support/canary.js';
import { ReplicatedPostgres } from '../support/replicated-postgres.js';
import { SmallDisk } from '../support/small-disk.js';
import { until } from '../support/until.js';

const NAME = 'work';
const ROLE = 'awp_service';
/** Enough for the tables of a game day. The write-ahead log has a disk of its own. */
const DISK_MB = 192;

/**
 * The database of the installation: a primary with a synchronous standby. Its tables are on a small disk, and the role of
 * the service needs its password.
 */
export class GameDatabase {
  private readonly disks: SmallDisk[] = [];
  /** User and password of the URL that the service gets. */
  private login = { user: ROLE, password: '' };

  private constructor(private readonly postgres: ReplicatedPostgres) {}

  static async start(tools: string): Promise<GameDatabase> {
    const database = new GameDatabase(await ReplicatedPostgres.startAlone(tools));
    await database.furnish();
    return database;
  }

  /** For the service, at the address of the present primary. */
  get url(): string {
    const url = new URL(this.superuserUrl);
    url.username = this.login.user;
    url.password = this.login.password;
    return url.href;
  }

  /** For the game day itself, which needs no password. */
  get superuserUrl(): string {
    return this.postgres.urlOf(NAME);
  }

  /** The disk of the tables of the present primary. */
  get disk(): SmallDisk {
    return this.disks.at(-1)!;
  }

  sql<Row = Record<string, unknown>>(text: string): Promise<Row[]> {
    return this.postgres.sql<Row>(text, NAME);
  }

  stop(): Promise<void> {
    return this.postgres.stopPrimary();
  }

  startAgain(): Promise<void> {
    return this.postgres.startPrimary();
  }

  /** Ends the primary at once, with writes that the standby lacks and that nobody was told of. */
  kill(): Promise<void> {
    return this.postgres.killPrimary();
  }

  /** Kills one session of the service. PostgreSQL then ends all others too, since it cannot trust their shared memory, and recovers. */
  async killSession(): Promise<void> {
    const [session] = await this.sql<{ pid: number }>(
      `SELECT pid FROM pg_stat_activity WHERE datname = '${NAME}' AND usename LIKE '${ROLE}%' LIMIT 1`,
    );
    process.kill(session!.pid, 'SIGKILL');
  }

  /** Waits until the primary has recovered. */
  async answers(): Promise<void> {
    await until(() =>
      this.sql('SELECT 1').then(
        () => true,
        () => false,
      ),
    );
  }

  /** Makes the standby the primary. */
  async promote(): Promise<void> {
    await this.postgres.promote();
    this.disks.push(this.disks.shift()!);
  }

  /** Gives the present primary a standby again. */
  async addStandby(): Promise<void> {
    const former = tablesOn(this.disk);
    const place = this.place();
    await this.postgres.addReplica([`--tablespace-mapping=${former}=${place}`]);
    this.disks.unshift(this.disks.pop()!);
  }

  /** Makes the database read-only for sessions that begin from now on, and ends those that are open. */
  async makeReadOnly(isReadOnly: boolean): Promise<void> {
    const change = isReadOnly
      ? 'SET default_transaction_read_only = on'
      : 'RESET default_transaction_read_only';
    await this.sql(`BEGIN READ WRITE; ALTER DATABASE ${NAME} ${change}; COMMIT`);
    await this.endSessions();
  }

  /** Ends the sessions of the service. @param role only those of this role */
  async endSessions(role: string | null = null): Promise<void> {
    await this.sql(
      `SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity
       WHERE datname = '${NAME}' AND pid <> pg_backend_pid() AND usename <> 'awp'
       ${role === null ? '' : `AND usename = '${role}'`}`,
    );
  }

  /** Gives the role of the service another password. From then on `url` has it. */
  async changePassword(): Promise<void> {
    this.login.password = aPassword();
    await this.sql(`ALTER ROLE ${this.login.user} PASSWORD '${this.login.password}'`);
  }

  /** Makes a second login of the same rights, which `url` has from then on. Returns the name of the former one. */
  async useSecondLogin(): Promise<string> {
    const former = this.login.user;
    this.login = { user: `${ROLE}_2`, password: aPassword() };
    await this.sql(
      `CREATE ROLE ${this.login.user} LOGIN PASSWORD '${this.login.password}';
       GRANT ${ROLE} TO ${this.login.user}; ALTER ROLE ${this.login.user} SET role TO ${ROLE}`,
    );
    return former;
  }

  /** Forbids a login once no session of it is left. @throws {Error} when there are some after a minute */
  async retire(role: string): Promise<void> {
    await until(async () => {
      const left = await this.sql(`SELECT 1 FROM pg_stat_activity WHERE usename = '${role}'`);
      return left.length === 0;
    });
    await this.sql(`ALTER ROLE ${role} NOLOGIN`);
  }

  async remove(): Promise<void> {
    await this.postgres.remove();
    for (const disk of this.disks) disk.remove();
  }

  private async furnish(): Promise<void> {
    await this.requirePasswords();
    this.login.password = aPassword();
    await this.postgres.sql(`CREATE ROLE ${ROLE} LOGIN PASSWORD '${this.login.password}'`);
    await this.postgres.sql(`CREATE TABLESPACE small LOCATION '${this.place()}'`);
    await this.postgres.sql(`CREATE DATABASE ${NAME} OWNER ${ROLE} TABLESPACE small`);
    await this.addStandby();
  }

  /** An empty folder on a small disk of its own, which belongs to PostgreSQL. */
  private place(): string {
    const disk = SmallDisk.of(DISK_MB);
    this.disks.push(disk);
    const folder = tablesOn(disk);
    mkdirSync(folder, { mode: 0o700 });
    const { uid, gid } = this.postgres.account;
    if (uid !== undefined) chownSync(folder, uid, gid!);
    return folder;
  }

  private async requirePasswords(): Promise<void> {
    const file = join(this.postgres.cluster, 'pg_hba.conf');
    const rule = `host all +${ROLE} 127.0.0.1/32 scram-sha-256`;
    writeFileSync(file, `${rule}\n${readFileSync(file, 'utf8')}`);
    await this.postgres.sql('SELECT pg_reload_conf()');
  }
}

const tablesOn = (disk: SmallDisk): string => join(disk.folder, 'tables');

/** No log may contain it. */
const aPassword = (): string => canary(randomBytes(12).toString('hex'));
