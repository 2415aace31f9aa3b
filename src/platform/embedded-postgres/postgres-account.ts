import { execFile } from 'node:child_process';
import { readFile, stat } from 'node:fs/promises';
import { promisify } from 'node:util';
import { toolEnvironment } from './tool-environment.js';

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
