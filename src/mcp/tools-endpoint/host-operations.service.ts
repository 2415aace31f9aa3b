import { Injectable, Logger, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import type { Subject } from 'rxjs';
import { CatalogService } from '../catalog/catalog.service.js';
import { InstallationService } from '../installed-servers/installation.service.js';
import type { InstallServerRequest } from '../installed-servers/installed-server.dto.js';
import { UpgradeService } from '../installed-servers/upgrade.service.js';
import { VerificationService } from '../installed-servers/verification.service.js';
import { PackageInstaller } from '../packages/package-installer.js';
import { McpUnavailable } from '../processes/connection/mcp-errors.js';
import { ServerSupervisor } from '../processes/supervision/server-supervisor.js';
import { InstalledServerClient, optionsOf, type RemoteCall } from '../running/installed-server.client.js';
import { type RuntimeReport, RuntimeService } from '../runtime/runtime.service.js';
import { ProcessControlService } from '../server-processes/process-control-and-work.service.js';
import { ProcessEventsService } from '../server-processes/supervisor-sandbox-and-sweep.provider.js';
import { FirstListingsService } from '../server-tools/listing-intervals-and-waits.service.js';
import { LiveHostsService } from '../tools-hosts/live-hosts.service.js';
import { ProcessClaimsService } from '../tools-hosts/process-claims-and-absence.service.js';
import type { ServedRequest } from '../tools-hosts/host-request.js';
import type { LiveHost } from '../tools-hosts/tools-host.entity.js';
import { ToolsHostsClient } from '../tools-hosts/tools-hosts-and-internal-keys.client.js';

/** The events of server processes that concern the agents connected to other processes of this service. */
const RELAYED_EVENTS = ['started', 'listChanged', 'resourceUpdated', 'logged'] as const;

/** Brings the events of the server processes of every tools host into this process, for the agents connected to it. */
@Injectable()
export class HostEventsWorker implements OnApplicationBootstrap {
  private readonly followed = new Set<string>();

  constructor(
    private readonly hosts: LiveHostsService,
    private readonly client: ToolsHostsClient,
    private readonly events: ProcessEventsService,
  ) {}

  onApplicationBootstrap(): void {
    if (this.client.isNeeded) this.hosts.watch((live) => live.forEach((host) => void this.follow(host)));
  }

  private async follow(host: LiveHost): Promise<void> {
    if (this.followed.has(host.id)) return;
    this.followed.add(host.id);
    // It ends with its host, or is begun again after the next reading of the list.
    await this.client.askHost(host, 'events', null, { note: this.pass }).catch(() => undefined);
    this.followed.delete(host.id);
  }

  private readonly pass = (what: string, event: unknown): void => {
    const relayed = RELAYED_EVENTS.find((name) => name === what);
    if (relayed) (this.events[relayed] as Subject<unknown>).next(event);
  };
}

const MOVED = 'The server goes on at another host. Try again.';

/** Connects what runs servers with the other processes of this installation. */
@Injectable()
export class HostsWiringService implements OnModuleInit {
  private readonly log = new Logger(HostsWiringService.name);

  constructor(
    private readonly hosts: ToolsHostsClient,
    private readonly claims: ProcessClaimsService,
    private readonly supervisor: ServerSupervisor,
    private readonly runtimes: RuntimeService,
    private readonly catalog: CatalogService,
  ) {}

  onModuleInit(): void {
    if (this.hosts.isNeeded) {
      this.runtimes.elsewhere = (refresh) => this.runtimesOfHost(refresh);
      this.catalog.reloadElsewhere = () => this.hosts.askAll('reload', null);
    }
    this.claims.wanted.subscribe(({ serverId, scope }) =>
      this.inBackground(serverId, this.supervisor.yieldProcess(serverId, scope)),
    );
    this.claims.lost.subscribe(({ serverId }) =>
      this.inBackground(serverId, this.supervisor.stop(serverId, MOVED)),
    );
  }

  /** Returns null where no host responds: the catalogue is read then with the runtimes of this host. */
  private async runtimesOfHost(refresh: boolean): Promise<RuntimeReport | null> {
    try {
      return (await this.hosts.ask('runtime', 'runtime', { refresh })) as RuntimeReport;
    } catch (error) {
      if (error instanceof McpUnavailable) return null;
      throw error;
    }
  }

  private inBackground(serverId: string, work: Promise<void>): void {
    work.catch((error: unknown) =>
      this.log.error(`A process of server ${serverId} could not be handed over: ${String(error)}`),
    );
  }
}

interface Stop {
  serverId: string;
  reason: string;
  credentialSetId?: string;
}

type Operation = (args: never, request: ServedRequest) => Promise<unknown>;

/** What a tools host does for the other processes. */
@Injectable()
export class HostOperationsService {
  private readonly operations: Record<string, Operation> = {
    call: (call: RemoteCall, request) =>
      this.servers.call(call.target, call.method, call.params, optionsOf(call, request)),
    // Each process that answers agents asks for one, and they share one listing here.
    list: ({ serverId, scope }: { serverId: string; scope: string }) => this.listings.ensure(serverId, scope),
    install: (request: InstallServerRequest) => this.installation.install(request),
    verify: ({ serverId }: { serverId: string }) => this.verifications.verify(serverId),
    upgrade: ({ serverId, dryRun }: { serverId: string; dryRun: boolean }) =>
      this.upgrades.upgrade(serverId, dryRun),
    runtime: ({ refresh }: { refresh: boolean }) => this.runtimes.report(refresh),
    stop: ({ serverId, reason, credentialSetId }: Stop) =>
      this.processes.stop(serverId, reason, credentialSetId),
    removeCredentialSet: ({ serverId, credentialSetId }: { serverId: string; credentialSetId: string }) =>
      this.processes.removeCredentialSet(serverId, credentialSetId),
    forgive: async ({ serverId }: { serverId: string }) => this.processes.forgive(serverId),
    remove: async ({ serverId, reason }: { serverId: string; reason: string }) => {
      await this.processes.remove(serverId, reason);
      await this.packages.remove(serverId);
    },
    reload: () => this.catalog.reload(),
    events: (_: never, request) => this.relay(request),
  };

  constructor(
    private readonly servers: InstalledServerClient,
    private readonly listings: FirstListingsService,
    private readonly installation: InstallationService,
    private readonly verifications: VerificationService,
    private readonly upgrades: UpgradeService,
    private readonly runtimes: RuntimeService,
    private readonly processes: ProcessControlService,
    private readonly packages: PackageInstaller,
    private readonly catalog: CatalogService,
    private readonly events: ProcessEventsService,
    private readonly supervisor: ServerSupervisor,
  ) {}

  async run(operation: string, args: unknown, request: ServedRequest): Promise<unknown> {
    const known = Object.hasOwn(this.operations, operation) ? this.operations[operation] : undefined;
    if (!known) throw new Error(`This release has no operation '${operation}'.`);
    return known(args as never, request);
  }

  /** Passes events of server processes on until the other side is gone. */
  private async relay(request: ServedRequest): Promise<void> {
    const subscriptions = RELAYED_EVENTS.map((what) =>
      this.events[what].subscribe((event: unknown) => request.note(what, event)),
    );
    // They may have started before the other side could hear it, which then knows nothing of their state.
    for (const { serverId } of this.supervisor.live()) request.note('started', { serverId });
    if (!request.signal.aborted)
      await new Promise((resolve) => request.signal.addEventListener('abort', resolve, { once: true }));
    for (const subscription of subscriptions) subscription.unsubscribe();
  }
}
