import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { HOSTS, RESOLV_CONF } from '../network/namespace-sockets.js';
import { proxyVariables } from '../network/proxy-variables.js';
import { childPath } from './child-path.js';
import { writeFilter } from './filter-command.js';
import type { StdioServer } from '../server-description.js';
import { newRunFolderName, tmpdirOf } from '../supervision/run-folder-name.js';

/** The private folder of one start of a server: temporary files, secret files, and the environment that names them. */
export interface RunFolder {
  path: string;
  tmp: string;
  home: string;
  /** The file with the filter of system calls; null where this host has none. */
  filter: string | null;
  /** The complete environment of the child: PATH, HOME, TMPDIR, LANG, the declared variables, the secret files. */
  env: Record<string, string>;
}

/** Makes the folder of one start with mode 0700 and writes the secret files into it with mode 0600. */
export async function makeRunFolder(server: StdioServer, serviceDataDir: string): Promise<RunFolder> {
  const { path } = newRunFolderName(serviceDataDir);
  const [tmp, home, secrets] = [tmpdirOf(path), join(server.dataDir, 'home'), join(path, 'secrets')];
  for (const folder of [server.dataDir, home, tmp, secrets])
    await mkdir(folder, { recursive: true, mode: 0o700 });
  const secretPaths: Record<string, string> = {};
  for (const { variable, content } of server.secretFiles) {
    secretPaths[variable] = join(secrets, variable);
    await writeFile(secretPaths[variable], content, { mode: 0o600 });
  }
  if (server.network) {
    await writeFile(join(path, 'resolv.conf'), RESOLV_CONF);
    await writeFile(join(path, 'hosts'), HOSTS);
  }
  const env = {
    ...proxyVariables(server.network),
    ...server.env,
    ...secretPaths,
    PATH: childPath(server.command).join(':'),
    HOME: home,
    TMPDIR: tmp,
    LANG: 'C.UTF-8',
  };
  return { path, tmp, home, env, filter: await writeFilter(path) };
}

/** Removes the folder with all secret files. A missing folder is not an error. */
export async function removeRunFolder(folder: RunFolder): Promise<void> {
  await rm(folder.path, { recursive: true, force: true, maxRetries: 3 });
}
