import { execFile } from 'node:child_process';
import { mkdtemp, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { launchCommand } from './launch-command.js';
import { makeRunFolder } from './run-folder.js';
import type { SandboxLevel, SandboxSetting } from './sandbox-level.js';

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

/**
 * Finds the strongest level that works on this host by trying, because kernels and containers forbid namespaces in
 * ways that only show when one is made. It takes about 100 ms and runs once at start.
 * @throws {Error} with a sentence for the operator, when the setting is `require` and neither of the strong levels works
 */
export async function probeSandbox(setting: SandboxSetting): Promise<SandboxLevel> {
  if (setting === 'off') return 'process-group';
  for (const level of ['bubblewrap', 'namespace'] as const) {
    if (await levelWorks(level)) return level;
  }
  if (setting === 'require') {
    throw new Error(
      'MCP_SANDBOX=require, but this host lets the service make neither a bubblewrap sandbox nor a PID namespace. ' +
        'Install bubblewrap and allow unprivileged user namespaces, or set MCP_SANDBOX=auto to run servers without a sandbox.',
    );
  }
  return 'process-group';
}

/** Returns whether a process starts at this level and finds itself in another PID namespace than the service. */
export async function levelWorks(level: SandboxLevel): Promise<boolean> {
  if (level === 'process-group') return true;
  const folder = await mkdtemp(join(tmpdir(), 'awp-sandbox-'));
  try {
    const server = { ...PROBE, cwd: folder, dataDir: join(folder, 'data') };
    const run = await makeRunFolder(server, folder);
    const { command, args } = launchCommand(level, server, run, []);
    const { stdout } = await promisify(execFile)(command, args, {
      cwd: folder,
      env: run.env,
      timeout: PROBE_MS,
      killSignal: 'SIGKILL',
    });
    return stdout.startsWith('pid:[') && stdout.trim() !== (await readlink('/proc/self/ns/pid'));
  } catch {
    return false; // Every error means the same: this host cannot run the level.
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
