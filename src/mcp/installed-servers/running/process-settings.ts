import { SettingsFault } from '../../../platform/config/load-settings.js';
import { Settings } from '../../../platform/config/settings.js';
import { probeSandbox, type SandboxLevel } from '../../processes/sandbox-level.js';
import { supervisorSettings, type SupervisorSettings } from '../../processes/supervisor-settings.js';

/** Injection token of the `SupervisorSettings` of this process: how servers are run, and within which bounds. */
export const PROCESS_SETTINGS = Symbol('PROCESS_SETTINGS');

/** Probes once what this host allows. @throws {SettingsFault} where MCP_SANDBOX=require can't be kept */
export async function processSettings(settings: Settings): Promise<SupervisorSettings> {
  const ownFiles = [settings.encryptionKeyringFile, settings.tls?.keyFile];
  return supervisorSettings({
    sandbox: await sandboxOf(settings),
    serviceDataDir: settings.dataDir,
    hiddenPaths: ownFiles.filter((path) => path !== undefined),
    allowedHosts: settings.mcpAllowedHosts,
    maxProcesses: settings.mcpMaxProcesses,
    processMemoryMb: settings.mcpProcessMemoryMb,
    idleSeconds: settings.mcpIdleSeconds,
    callTimeoutMs: settings.toolCallTimeoutMs,
  });
}

async function sandboxOf({ mcpSandbox }: Settings): Promise<SandboxLevel> {
  try {
    return await probeSandbox(mcpSandbox);
  } catch (error) {
    throw new SettingsFault(error instanceof Error ? error.message : String(error));
  }
}
