import { Injectable } from '@nestjs/common';
import { CatalogService } from '../../catalog/catalog.service.js';
import { RuntimeService } from '../../runtime/runtime.service.js';
import { PackageInstaller } from '../../packages/package-installer.js';
import type { InstallServerRequest } from '../dto/install-server.request.js';
import { InstallationService } from '../installation.service.js';
import { InstalledServerClient } from '../running/installed-server.client.js';
import { ProcessControlService } from '../running/process-control.service.js';
import { ProcessEventsService } from '../running/process-events.service.js';
import { ToolListingsService } from '../tools/tool-listings.service.js';
import { UpgradeService } from '../upgrade/upgrade.service.js';
import { VerificationService } from '../verification/verification.service.js';
import { RELAYED_EVENTS } from './relayed-events.js';
import { optionsOf, type RemoteCall } from './remote-call.js';
import type { ServedRequest } from './served-request.js';

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
    list: ({ serverId, scope }: { serverId: string; scope: string }) => this.listings.list(serverId, scope),
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
    private readonly listings: ToolListingsService,
    private readonly installation: InstallationService,
    private readonly verifications: VerificationService,
    private readonly upgrades: UpgradeService,
    private readonly runtimes: RuntimeService,
    private readonly processes: ProcessControlService,
    private readonly packages: PackageInstaller,
    private readonly catalog: CatalogService,
    private readonly events: ProcessEventsService,
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
    if (!request.signal.aborted)
      await new Promise((resolve) => request.signal.addEventListener('abort', resolve, { once: true }));
    for (const subscription of subscriptions) subscription.unsubscribe();
  }
}
