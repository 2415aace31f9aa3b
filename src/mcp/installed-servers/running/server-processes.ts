import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Readiness } from '../../../platform/health/readiness.js';
import { PackageInstaller } from '../../packages/package-installer.js';
import { sweepOrphans } from '../../processes/boot-sweep.js';
import { ServerSupervisor } from '../../processes/server-supervisor.js';
import type { SupervisorSettings } from '../../processes/supervisor-settings.js';
import { InstalledServersRepository } from '../installed-servers.repository.js';
import { PROCESS_SETTINGS } from './process-settings.js';
import { ServerWork } from './server-work.js';

/** What was touched in the last ten minutes is spared by a sweep: it may be an installation in another process. */
const SWEEP_AGAIN_MS = 11 * 60_000;

/** Begins and ends with the service: what an earlier run left behind is swept, what this one started is ended. */
@Injectable()
export class ServerProcesses implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(ServerProcesses.name);

  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly supervisor: ServerSupervisor,
    private readonly work: ServerWork,
    private readonly packages: PackageInstaller,
    private readonly readiness: Readiness,
    @Inject(PROCESS_SETTINGS) private readonly settings: SupervisorSettings,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { sandbox, serviceDataDir } = this.settings;
    this.readiness.add(() => ({ name: 'sandbox', says: sandbox, ok: true }));
    const ended = await sweepOrphans(serviceDataDir);
    if (ended > 0) this.log.warn(`Ended ${ended} server process(es) that an earlier run had left behind.`);
    await this.sweepFolders();
    setTimeout(() => void this.sweepFolders(), SWEEP_AGAIN_MS).unref();
  }

  async beforeApplicationShutdown(): Promise<void> {
    // Calls under way have their grace first; what is still running then, a verification for instance, is ended.
    await this.supervisor.shutdown();
    await this.work.endAll();
  }

  /** Of servers whose installation was cut short by the death of the service. */
  private async sweepFolders(): Promise<void> {
    try {
      await this.packages.removeUnknown(await this.servers.ids());
    } catch (error) {
      this.log.warn(`Folders of servers that are not installed could not be removed: ${String(error)}`);
    }
  }
}
