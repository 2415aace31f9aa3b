import { SettingsError } from '../../../platform/config/load-settings.js';
import { Settings } from '../../../platform/config/settings.js';
import { ControlGroups } from '../../processes/sandbox/control-groups.js';
import type { SandboxLevel } from '../../processes/sandbox/sandbox-level.js';
import { networkWorks, probeSandbox } from '../../processes/sandbox/sandbox-probe.js';
import {
  supervisorSettings,
  type SupervisorSettings,
} from '../../processes/supervision/supervisor-settings.js';

/** Injection token of the `SupervisorSettings` of this process: how servers run, and within which limits. */
export const PROCESS_SETTINGS = Symbol('PROCESS_SETTINGS');

/** What the host lets a process do for the servers that it runs. */
type HostMeans = Pick<SupervisorSettings, 'sandbox' | 'ownNetwork' | 'controlGroups' | 'noControlGroups'>;

/** A process whose role runs no server asks nothing of its host; nothing uses these values. */
const RUNS_NONE: HostMeans = {
  sandbox: 'bubblewrap',
  ownNetwork: false,
  controlGroups: null,
  noControlGroups: null,
};

/**
 * Probes once which sandbox this host allows, where this process runs servers.
 * @throws {SettingsError} when MCP_SANDBOX=require cannot be met
 */
export async function processSettings(settings: Settings): Promise<SupervisorSettings> {
  const ownFiles = [settings.encryptionKeyringFile, settings.tls?.keyFile, ...settings.secrets.paths];
  const { limits } = settings;
  return supervisorSettings({
    ...(settings.duties.servers ? await probeHost(settings) : RUNS_NONE),
    serviceDataDir: settings.dataDir,
    hiddenPaths: ownFiles.filter((path) => path !== undefined),
    allowedHosts: settings.outboundAllowedHosts,
    limits: { frameMaxBytes: limits.mcpFrameMaxBytes, toolsMaxBytes: limits.mcpToolsMaxBytes },
    maxProcesses: settings.mcpMaxProcesses,
    processMemoryMb: settings.mcpProcessMemoryMb,
    diskMb: limits.mcpDiskMb,
    idleSeconds: settings.mcpIdleSeconds,
    callsPerProcess: settings.mcpCallsPerProcess,
    callsInAll: settings.mcpCallsTotal,
    callsPerCaller: settings.mcpCallsPerAgent,
    callTimeoutMs: settings.toolCallTimeoutMs,
    callHardLimitMs: settings.toolCallHardLimitMs,
  });
}

async function probeHost(settings: Settings): Promise<HostMeans> {
  const sandbox = await sandboxOf(settings);
  const { groups, why } = await controlGroups();
  return {
    sandbox,
    ownNetwork: await networkWorks(sandbox),
    controlGroups: groups,
    noControlGroups: why,
  };
}

/** Where the kernel cannot limit servers, the service watches them once a second; the reason is logged at the start. */
async function controlGroups(): Promise<{ groups: ControlGroups | null; why: string | null }> {
  try {
    return { groups: await ControlGroups.open(), why: null };
  } catch (error) {
    return { groups: null, why: error instanceof Error ? error.message : String(error) };
  }
}

async function sandboxOf({ mcpSandbox }: Settings): Promise<SandboxLevel> {
  try {
    return await probeSandbox(mcpSandbox);
  } catch (error) {
    throw new SettingsError(error instanceof Error ? error.message : String(error));
  }
}
