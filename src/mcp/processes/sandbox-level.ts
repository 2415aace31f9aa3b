import { execFile } from 'node:child_process';
import { mkdtemp, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { launchCommand } from './launch-command.js';
import { makeRunFolder } from './run-folder.js';

/** How strongly a child process is contained, the strongest first; docs/sandbox.md says what each one guarantees. */
export type SandboxLevel = 'bubblewrap' | 'namespace' | 'process-group';

/** MCP_SANDBOX: the best there is, one of the two best or no start, the weakest. */
export type SandboxSetting = 'auto' | 'require' | 'off';

/**
 * Finds the strongest level that works on this host, by trying: kernels and containers forbid namespaces in
 * ways that only show when they are made. Takes some 100 ms; to be asked once at start. Throws an Error with a
 * sentence for the operator where `require` cannot be kept.
 */
export async function probeSandbox(setting: SandboxSetting): Promise<SandboxLevel> {
  if (setting === 'off') return 'process-group';
  for (const level of ['bubblewrap', 'namespace'] as const) {
    if (await levelWorks(level)) return level;
  }
  if (setting === 'require') {
    throw new Error(
      'MCP_SANDBOX=require, but this host lets the service make neither a bubblewrap sandbox nor a PID namespace. ' +
        'Install bubblewrap and allow unprivileged user namespaces, or set MCP_SANDBOX=auto to do without.',
    );
  }
  return 'process-group';
}

/** A sandboxed process must come to life, and find itself in another PID namespace than this one. */
export async function levelWorks(level: SandboxLevel): Promise<boolean> {
  if (level === 'process-group') return true;
  const folder = await mkdtemp(join(tmpdir(), 'awp-sandbox-'));
  try {
    const server = { ...PROBE, cwd: folder, dataDir: join(folder, 'data') };
    const run = await makeRunFolder(server, folder);
    const [command, ...args] = launchCommand(level, server, run, []);
    const { stdout } = await promisify(execFile)(command, args, {
      cwd: folder,
      env: run.env,
      timeout: PROBE_MS,
      killSignal: 'SIGKILL',
    });
    return stdout.startsWith('pid:[') && stdout.trim() !== (await readlink('/proc/self/ns/pid'));
  } catch {
    return false;
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const PROBE = {
  transport: 'stdio' as const,
  command: '/bin/sh',
  args: ['-c', 'readlink /proc/self/ns/pid'],
  env: {},
  secretFiles: [],
  installDir: null,
  readOnlyPaths: [],
  writablePaths: [],
};

const PROBE_MS = 5_000;
