import { Settings } from '../../../platform/config/settings.js';
import { probeSandbox } from '../../processes/sandbox-level.js';
import { supervisorSettings, type SupervisorSettings } from '../../processes/supervisor-settings.js';

/** Injection token of the `SupervisorSettings` of this process: how servers are run, and within which bounds. */
export const PROCESS_SETTINGS = Symbol('PROCESS_SETTINGS');

/** Probes once what this host allows; rejects, and so ends the start, where MCP_SANDBOX=require can't be kept. */
export async function processSettings(settings: Settings): Promise<SupervisorSettings> {
  const ownFiles = [settings.encryptionKeyringFile, settings.tls?.keyFile];
  return supervisorSettings({
    sandbox: await probeSandbox(settings.mcpSandbox),
    serviceDataDir: settings.dataDir,
    hiddenPaths: ownFiles.filter((path) => path !== undefined),
    allowedHosts: settings.mcpAllowedHosts,
    maxProcesses: settings.mcpMaxProcesses,
    processMemoryMb: settings.mcpProcessMemoryMb,
    idleSeconds: settings.mcpIdleSeconds,
    callTimeoutMs: settings.toolCallTimeoutMs,
  });
}
