import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
  type Provider,
} from '@nestjs/common';
import { Subject } from 'rxjs';
import { SettingsError } from '../../platform/config/setting-rules.js';
import { Settings } from '../../platform/config/settings.js';
import { ReadinessService } from '../../platform/health/health.controller.js';
import { PackageInstaller } from '../packages/package-installer.js';
import type { LogNotice } from '../processes/connection/mcp-connection.js';
import { ControlGroups } from '../processes/sandbox/control-groups.js';
import type { SandboxLevel } from '../processes/sandbox/launch-command.js';
import { networkWorks, probeSandbox } from '../processes/sandbox/sandbox-probe.js';
import { sweepOrphans } from '../processes/supervision/orphans.js';
import { ServerSupervisor } from '../processes/supervision/server-supervisor.js';
import {
  type StartedServer,
  supervisorSettings,
  type SupervisorSettings,
} from '../processes/supervision/supervisor-settings.js';
import { InstalledServerRepository } from '../server-records/installed-server.repository.js';
import { ProcessClaimsService } from '../tools-hosts/process-claims-and-absence.service.js';
import { CancellableWorkService } from './process-control-and-work.service.js';

/** Compares the tools that the start of a server listed with the approved ones, and stores the result. */
export type ToolComparison = (server: StartedServer, tools: unknown[]) => Promise<void>;

/** Events of the supervisor. It is created before the services that act on its events, so they subscribe here. */
@Injectable()
export class ProcessEventsService {
  /** A server crashed too often to be restarted automatically. */
  readonly crashLimit = new Subject<{ serverId: string; credentialSetId: string; reason: string }>();
  /** A subscribed resource has changed; `uri` is the server's own. */
  readonly resourceUpdated = new Subject<{ serverId: string; scope: string; uri: string }>();
  /** A process that one agent has for itself has logged something; its secrets are masked. */
  readonly logged = new Subject<{ serverId: string; scope: string; notice: LogNotice }>();
  /** A server takes calls after a start; its prompts, resources and subscriptions may be others than before. */
  readonly started = new Subject<{ serverId: string }>();
  /** A server reports that one of its lists has changed. */
  readonly listChanged = new Subject<{ serverId: string; what: 'tools' | 'prompts' | 'resources' }>();
  /** Runs before the first call of every start. A start without a comparison fails. */
  compare: ToolComparison = () => Promise.reject(new Error('No service compares the tools of a start.'));
}

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

/**
 * A sweep spares folders that changed in the last ten minutes, because another process may be installing into them.
 * The second sweep removes those that were abandoned.
 */
const SWEEP_AGAIN_MS = 11 * 60_000;

/** Removes what an earlier run left behind when the service starts, and ends all server processes when it stops. */
@Injectable()
export class SupervisorLifecycleService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(SupervisorLifecycleService.name);

  constructor(
    private readonly servers: InstalledServerRepository,
    private readonly supervisor: ServerSupervisor,
    private readonly work: CancellableWorkService,
    private readonly packages: PackageInstaller,
    private readonly readiness: ReadinessService,
    private readonly service: Settings,
    @Inject(PROCESS_SETTINGS) private readonly settings: SupervisorSettings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    if (!this.service.duties.servers) return;
    const { sandbox, ownNetwork, serviceDataDir } = this.settings;
    this.readiness.add(() => ({ name: 'sandbox', says: sandbox, ok: true }));
    if (sandbox !== 'process-group' && !ownNetwork)
      this.log.warn(
        'This host does not let MCP servers have a network of their own: they reach every host. Permit unshare --net and install iproute2 (docs/sandbox.md).',
      );
    const { noControlGroups: why } = this.settings;
    this.log.log(
      why === null
        ? 'The kernel limits memory and processes of MCP servers (cgroup v2).'
        : `The service watches the memory of MCP servers once a second, because the kernel does not limit it: ${why} (docs/sandbox.md).`,
    );
    const ended = await sweepOrphans(serviceDataDir);
    if (ended > 0) this.log.warn(`Ended ${ended} orphaned server process(es) of an earlier run.`);
    await this.sweepFolders();
    setTimeout(() => void this.sweepFolders(), SWEEP_AGAIN_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    // Running calls get their grace period first; then other work, a verification for instance, is ended.
    await this.supervisor.shutdown();
    await this.work.endAll();
  }

  /** Removes the folders of installations that the death of the service interrupted. */
  private async sweepFolders(): Promise<void> {
    try {
      const servers = await this.servers.find({ select: { id: true } });
      await this.packages.removeUnknown(new Set(servers.map(({ id }) => id)));
    } catch (error) {
      this.log.warn(
        `Folders of servers that are not installed could not be removed; the next start tries again: ${String(error)}`,
      );
    }
  }
}

const log = new Logger('McpServers');

/** Provides the one `ServerSupervisor` of the process. */
export const supervisorProvider: Provider = {
  provide: ServerSupervisor,
  inject: [PROCESS_SETTINGS, ProcessEventsService, ProcessClaimsService, Settings],
  useFactory: (
    settings: SupervisorSettings,
    processEvents: ProcessEventsService,
    claims: ProcessClaimsService,
    { role }: Settings,
  ) =>
    new ServerSupervisor(settings, {
      ...(role === 'tools' && {
        onStarting: (serverId, scope, signal) => claims.take({ serverId, scope }, signal),
      }),
      onCrashLimit: (serverId, reason, credentialSetId) =>
        processEvents.crashLimit.next({ serverId, credentialSetId, reason }),
      onStartListed: (server, tools) => processEvents.compare(server, tools),
      onStarted: (serverId) => processEvents.started.next({ serverId }),
      onListChanged: (serverId, what) => processEvents.listChanged.next({ serverId, what }),
      onResourceUpdated: (serverId, scope, uri) =>
        processEvents.resourceUpdated.next({ serverId, scope, uri }),
      onLogged: (serverId, scope, notice) => processEvents.logged.next({ serverId, scope, notice }),
      log: (serverId, message) => log.warn(`Server ${serverId}: ${message}`),
    }),
};
