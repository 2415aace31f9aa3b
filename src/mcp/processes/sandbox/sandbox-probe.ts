import { execFile } from 'node:child_process';
import { mkdtemp, readlink, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { NetworkRule } from '../network/permitted-hosts-and-ports.js';
import { launchCommand, procMount, type SandboxLevel, type SandboxSetting } from './launch-command.js';
import { makeRunFolder } from './run-folder-environment-and-secret-files.js';

const PROBE = {
  transport: 'stdio' as const,
  command: '/bin/sh',
  args: ['-c', 'readlink /proc/self/ns/pid || true'],
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

/**
 * Returns whether a server can have a network of its own at this level: some hosts permit a sandbox and no further
 * namespace, or lack the programs that bring its loopback interface up.
 */
export async function networkWorks(level: SandboxLevel): Promise<boolean> {
  return level !== 'process-group' && (await attempt(level, { kind: 'none' })) !== null;
}

/**
 * Returns whether a process starts at this level and finds itself in another PID namespace than the service.
 * bubblewrap is tried with a /proc of its own first, and without where the host refuses one.
 */
export async function levelWorks(level: SandboxLevel): Promise<boolean> {
  if (level === 'process-group') return true;
  if (level === 'namespace') return isContained(await attempt(level));
  if (procMount.isPermitted && (await isContained(await attempt(level)))) return true;
  procMount.isPermitted = false;
  // Without /proc the namespace cannot be read. bubblewrap fails where it cannot be made.
  if ((await attempt(level)) !== null) return true;
  procMount.isPermitted = true;
  return false;
}

async function isContained(output: string | null): Promise<boolean> {
  return (
    output !== null && output.startsWith('pid:[') && output.trim() !== (await readlink('/proc/self/ns/pid'))
  );
}

/** Returns what the probe wrote; null where it could not run. */
async function attempt(level: SandboxLevel, network?: NetworkRule): Promise<string | null> {
  const folder = await mkdtemp(join(tmpdir(), 'awp-sandbox-'));
  try {
    const server = { ...PROBE, network, cwd: folder, dataDir: join(folder, 'data') };
    const run = await makeRunFolder(server, folder);
    const { command, args } = launchCommand(level, server, run, []);
    const where = { cwd: folder, env: run.env, timeout: PROBE_MS, killSignal: 'SIGKILL' as const };
    return (await promisify(execFile)(command, args, where)).stdout;
  } catch {
    return null; // Every error means the same: this host cannot run the level.
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
