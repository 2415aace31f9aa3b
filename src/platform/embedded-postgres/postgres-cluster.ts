import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { chown, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { createRoleAndDatabase } from './postgres-bootstrap.js';
import type { PostgresCredentials } from './postgres-credentials.js';
import { asAccount, type PostgresHome } from './postgres-home.js';
import { toolEnvironment } from './tool-environment.js';

const run = promisify(execFile);
const draftPrefix = 'postgres.new-';
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
 * @throws {Error} when the files are of another major version, or belong to another user
 */
export async function prepareCluster({ clusterDir, account }: PostgresHome): Promise<void> {
  const version = (await readFile(join(clusterDir, 'PG_VERSION'), 'utf8')).trim();
  if (version !== account.majorVersion) {
    throw new Error(
      `The database in ${clusterDir} was created by PostgreSQL ${version}, but this release ships ${account.majorVersion}. Dump it with the release that created it, and load the dump into a new DATA_DIR.`,
    );
  }
  const owner = (await stat(clusterDir)).uid;
  if (owner === account.uid) return;
  if (process.getuid?.() !== 0) {
    throw new Error(
      `The database in ${clusterDir} belongs to user id ${owner}: start the service as that user.`,
    );
  }
  await run('chown', ['-R', `${account.uid}:${account.gid}`, clusterDir], { env: toolEnvironment });
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
