import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { readFile, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { levelWorks, type SandboxLevel } from '../../../../src/mcp/processes/sandbox-level.js';
import type {
  RemoteServer,
  ServerDescription,
  StdioServer,
} from '../../../../src/mcp/processes/server-description.js';

const ALL: SandboxLevel[] = ['bubblewrap', 'namespace', 'process-group'];
const working = await Promise.all(ALL.map(levelWorks));

/** The levels that this host offers; the two best need bubblewrap and user namespaces. */
export const LEVELS = ALL.filter((_, at) => working[at]);
export const BEST_LEVELS = LEVELS.filter((level) => level !== 'process-group');
export const STRONGEST = LEVELS[0];

const folder = fileURLToPath(new URL('../../../support/mcp-servers', import.meta.url));
const modules = fileURLToPath(new URL('../../../../node_modules', import.meta.url));

type StdioDescription = ServerDescription & StdioServer;

/** A data folder of a service, removed with everything in it by `drop`. */
export function aDataDir(): { path: string; drop: () => void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'awp-processes-')));
  return { path, drop: () => rmSync(path, { recursive: true, force: true }) };
}

let made = 0;

/** One of test/support/mcp-servers as an installed server, e.g. `aServer(data, 'misbehaving.mjs banner')`. */
export function aServer(
  dataDir: string,
  script: string,
  further: Partial<StdioDescription> = {},
): StdioDescription {
  const [file, ...args] = script.split(' ');
  const serverId = `server-${(made += 1)}`;
  return {
    serverId,
    name: 'Fake',
    secrets: [],
    revision: '1',
    transport: 'stdio',
    command: process.execPath,
    args: [join(folder, file), ...args],
    cwd: folder,
    env: {},
    secretFiles: [],
    installDir: folder,
    dataDir: join(dataDir, 'servers', serverId),
    readOnlyPaths: [modules],
    writablePaths: [],
    ...further,
  };
}

export function aRemote(
  transport: 'http' | 'sse',
  url: string,
  key = 'good-key',
): ServerDescription & RemoteServer {
  const serverId = `server-${(made += 1)}`;
  return {
    serverId,
    name: 'Fake',
    secrets: [key],
    revision: '1',
    transport,
    url,
    headers: { authorization: `Bearer ${key}` },
  };
}

/** The text of a tool result's first content block. */
export function textOf(result: Record<string, unknown>): string {
  return (result as { content: { text: string }[] }).content[0].text;
}

/** Pids of all processes whose environment, as they were started, holds this text. */
export async function processesMarked(mark: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const environments = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')),
  );
  return pids.filter((_, at) => environments[at].includes(mark));
}

/** Asks again and again until it is so, for a minute at most. */
export async function eventually(check: () => unknown, seconds = 60): Promise<void> {
  const deadline = Date.now() + seconds * 1000;
  while (!(await check())) {
    if (Date.now() > deadline) throw new Error(`It did not become so within ${seconds} s.`);
    await new Promise((resolve) => {
      setTimeout(resolve, 25);
    });
  }
}
