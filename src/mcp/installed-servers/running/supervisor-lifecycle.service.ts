import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { ReadinessService } from '../../../platform/health/readiness.service.js';
import { PackageInstaller } from '../../packages/package-installer.js';
import { sweepOrphans } from '../../processes/supervision/orphan-sweep.js';
import { ServerSupervisor } from '../../processes/supervision/server-supervisor.js';
import type { SupervisorSettings } from '../../processes/supervision/supervisor-settings.js';
import { InstalledServersRepository } from '../installed-servers.repository.js';
import { PROCESS_SETTINGS } from './process-settings.js';
import { CancellableWorkService } from './cancellable-work.service.js';

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
    private readonly servers: InstalledServersRepository,
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
      await this.packages.removeUnknown(await this.servers.ids());
    } catch (error) {
      this.log.warn(
        `Folders of servers that are not installed could not be removed; the next start tries again: ${String(error)}`,
      );
    }
  }
}
