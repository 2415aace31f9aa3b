import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { SandboxLevel } from '../../../../src/mcp/processes/sandbox/launch-command.js';
import { levelWorks } from '../../../../src/mcp/processes/sandbox/sandbox-probe.js';
import type {
  RemoteServer,
  ServerDescription,
  StdioServer,
} from '../../../../src/mcp/processes/server-description-and-limits.js';

const NAMESPACED: SandboxLevel[] = ['bubblewrap', 'namespace'];
const working = await Promise.all(NAMESPACED.map((level) => levelWorks(level)));

/** The levels on this host that need user namespaces, the strongest first. */
export const BEST_LEVELS = NAMESPACED.filter((_, at) => working[at]);
/** All levels that this host offers, the strongest first. */
export const LEVELS: SandboxLevel[] = [...BEST_LEVELS, 'process-group'];
export const STRONGEST = BEST_LEVELS[0] ?? 'process-group';

const folder = fileURLToPath(new URL('../../../support/mcp-servers', import.meta.url));
const modules = fileURLToPath(new URL('../../../../node_modules', import.meta.url));

type StdioDescription = ServerDescription & StdioServer;

/** Makes a data folder of a service, which `drop` removes with everything in it. */
export function aDataDir(): { path: string; drop: () => void } {
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'awp-processes-')));
  return { path, drop: () => rmSync(path, { recursive: true, force: true }) };
}

let made = 0;

/** Describes one of test/support/mcp-servers as an installed server, e.g. `aServer(data, 'misbehaving.mjs banner')`. */
export function aServer(
  dataDir: string,
  script: string,
  further: Partial<StdioDescription> = {},
): StdioDescription {
  const [file = '', ...args] = script.split(' ');
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

/** Returns the text of the first content block of a tool result. */
export function textOf(result: Record<string, unknown>): string {
  const [first] = (result as { content: { text: string }[] }).content;
  if (!first) throw new Error('The tool result has no content.');
  return first.text;
}

/** Returns the pids of all processes whose initial environment holds this text. */
export async function processesMarked(mark: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name)).map(Number);
  const environments = await Promise.all(
    pids.map((pid) => readFile(`/proc/${pid}/environ`, 'latin1').catch(() => '')),
  );
  return pids.filter((_, at) => environments[at]?.includes(mark));
}
