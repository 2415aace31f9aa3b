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

/**
 * Probes once which sandbox this host allows.
 * @throws {SettingsError} when MCP_SANDBOX=require cannot be met
 */
export async function processSettings(settings: Settings): Promise<SupervisorSettings> {
  const ownFiles = [settings.encryptionKeyringFile, settings.tls?.keyFile];
  const { limits } = settings;
  const sandbox = await sandboxOf(settings);
  const { groups, why } = await controlGroups();
  return supervisorSettings({
    sandbox,
    controlGroups: groups,
    noControlGroups: why,
    ownNetwork: await networkWorks(sandbox),
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
    callTimeoutMs: settings.toolCallTimeoutMs,
    callHardLimitMs: settings.toolCallHardLimitMs,
  });
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
