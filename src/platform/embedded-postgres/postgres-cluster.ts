import { execFile, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { chown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { EXIT_CONFIG, StartError } from '../exit/exit-codes.js';
import { asAccount, type PostgresHome, toolEnvironment } from './postgres-home.js';

/** The service signs in as its own role, which owns the database and is not a superuser. */
export const roleName = 'awp';
export const databaseName = 'awp';

export interface PostgresCredentials {
  password: string;
  superuserPassword: string;
}

/** Returns null when there are none yet. */
export async function readCredentials(dataDir: string): Promise<PostgresCredentials | null> {
  const text = await readFile(fileIn(dataDir), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null;
    throw error;
  });
  return text === null ? null : (JSON.parse(text) as PostgresCredentials);
}

/** Creates and stores new credentials, with mode 0600 and on the disk before it returns: a cluster without them is lost. */
export async function createCredentials(dataDir: string): Promise<PostgresCredentials> {
  const credentials = { password: secret(), superuserPassword: secret() };
  const draft = `${fileIn(dataDir)}.new`;
  const file = await open(draft, 'w', 0o600);
  try {
    await file.writeFile(`${JSON.stringify(credentials, null, 2)}\n`);
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, fileIn(dataDir));
  return credentials;
}

/** @param at an address, or the folder of a socket, and the port that also names the socket */
export function connectionUrl(at: { host: string; port: number }, credentials: PostgresCredentials): string {
  const url = new URL(
    `postgresql://${roleName}:${credentials.password}@localhost:${at.port}/${databaseName}`,
  );
  if (at.host.startsWith('/')) url.searchParams.set('host', at.host);
  else url.hostname = at.host;
  return url.href;
}

/** Consists of letters, digits, - and _ only: it is used in a URL and in an SQL literal without quoting. */
function secret(): string {
  return randomBytes(32).toString('base64url');
}

function fileIn(dataDir: string): string {
  return join(dataDir, 'postgres-credentials.json');
}

/**
 * Creates the service's role and database in single-user mode: they become part of the draft of the cluster, and the
 * password is on no command line.
 */
export async function createRoleAndDatabase(
  home: PostgresHome,
  clusterDir: string,
  password: string,
): Promise<void> {
  const args = [
    '--single',
    '-j',
    '-D',
    clusterDir,
    '-c',
    'exit_on_error=on',
    '-c',
    'log_checkpoints=off',
    'postgres',
  ];
  const child = spawn(...asAccount(home.account, home.binaries.postgres, args), {
    env: toolEnvironment,
    stdio: ['pipe', 'ignore', 'pipe'],
  });
  const said: Buffer[] = [];
  child.stderr.on('data', (chunk: Buffer) => said.push(chunk));
  // A server that dies early breaks the pipe. Its exit code reports that, so the error of the write does not matter.
  child.stdin.on('error', () => undefined);
  child.stdin.end(statements(password));
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0)
    throw new Error(`The new database could not be set up: ${Buffer.concat(said).toString().trim()}`);
}

/** With -j a statement ends at a semicolon that an empty line follows. */
function statements(password: string): string {
  return [
    `CREATE ROLE ${roleName} LOGIN CREATEDB PASSWORD '${password}'`,
    `CREATE DATABASE ${databaseName} OWNER ${roleName}`,
  ]
    .map((statement) => `${statement};\n\n`)
    .join('');
}

const run = promisify(execFile);
const draftPrefix = 'postgres.new-';
/** Bits that PostgreSQL allows no folder of a database: all of others, and writing by the group. */
const OTHERS_MAY = 0o027;
const syncMethod = process.platform === 'linux' ? 'syncfs' : 'fsync';

/** The builtin locale sorts by code point on every host, so a new C library never corrupts an index. */
const initdbOptions = [
  '--no-sync',
  '--no-instructions',
  '--username=postgres',
  '--auth=scram-sha-256',
  '--encoding=UTF8',
  '--locale=C',
  '--locale-provider=builtin',
  '--builtin-locale=C.UTF-8',
];

/** Whether a complete cluster exists: an incomplete one never has this name. */
export async function clusterExists(clusterDir: string): Promise<boolean> {
  // A file that cannot be read counts as missing: creating the cluster then fails with the cause.
  return (await stat(join(clusterDir, 'PG_VERSION')).catch(() => null)) !== null;
}

/** Creates the cluster under another name and renames it when it is complete and on the disk, so dying half-way leaves none. */
export async function createCluster(home: PostgresHome, credentials: PostgresCredentials): Promise<void> {
  await removeDrafts(home.dataDir);
  const draftDir = join(home.dataDir, `${draftPrefix}${randomBytes(6).toString('hex')}`);
  const draft = join(draftDir, 'cluster');
  const passwordFile = join(draftDir, 'password');
  await mkdir(draftDir, { mode: 0o700 });
  await writeFile(passwordFile, credentials.superuserPassword, { mode: 0o600 });
  await Promise.all([draftDir, passwordFile].map((path) => chown(path, home.account.uid, home.account.gid)));
  await initdb(home, ['-D', draft, `--pwfile=${passwordFile}`, ...initdbOptions]);
  await createRoleAndDatabase(home, draft, credentials.password);
  await initdb(home, ['-D', draft, '--sync-only', `--sync-method=${syncMethod}`]);
  await rename(draft, home.clusterDir);
  await syncFolder(home.dataDir);
  await removeDrafts(home.dataDir);
}

/**
 * Gives root's files to the account. No server may be running.
 * @throws {StartError} when the files are of another major version, belong to another user, or are open to others
 */
export async function prepareCluster({ clusterDir, account }: PostgresHome): Promise<void> {
  const version = (await readFile(join(clusterDir, 'PG_VERSION'), 'utf8')).trim();
  if (version !== account.majorVersion) {
    throw new StartError(
      `The database in ${clusterDir} was created by PostgreSQL ${version}, but this release ships ${account.majorVersion}`,
      'make a backup with the release that created it, and restore that into a new DATA_DIR',
      EXIT_CONFIG,
    );
  }
  const { mode, uid: owner } = await stat(clusterDir);
  refuseOpenFolder(clusterDir, mode & 0o777);
  if (owner === account.uid) return;
  if (process.getuid?.() !== 0) {
    throw new StartError(
      `The database in ${clusterDir} belongs to user id ${owner}`,
      'start the service as that user',
      EXIT_CONFIG,
    );
  }
  await run('chown', ['-R', `${account.uid}:${account.gid}`, clusterDir], { env: toolEnvironment });
}

/**
 * PostgreSQL refuses such a folder. A copy without its modes, a restore of a folder, and the group of a Kubernetes volume
 * leave one, and no further try would succeed.
 */
function refuseOpenFolder(clusterDir: string, mode: number): void {
  if ((mode & OTHERS_MAY) === 0) return;
  throw new StartError(
    `The database in ${clusterDir} has mode 0${mode.toString(8)}, and PostgreSQL refuses a folder that other users can enter: its permissions must be u=rwx (0700) or u=rwx,g=rx (0750)`,
    `run chmod 700 ${clusterDir}`,
    EXIT_CONFIG,
  );
}

async function initdb(home: PostgresHome, args: string[]): Promise<void> {
  await run(...asAccount(home.account, home.binaries.initdb, args), { env: toolEnvironment }).catch(
    (error: Error & { stderr?: string }) => {
      throw new Error(
        `A new database could not be created in the data folder: ${error.stderr || error.message}`,
      );
    },
  );
}

/**
 * Removes drafts. When a service was killed its initdb may still write there, and makes files again that were removed. It
 * has ended by the time that a new cluster is complete, so drafts are removed then too.
 */
async function removeDrafts(dataDir: string): Promise<void> {
  const drafts = (await readdir(dataDir)).filter((name) => name.startsWith(draftPrefix));
  await Promise.allSettled(drafts.map((name) => rm(join(dataDir, name), { recursive: true, force: true })));
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
}
