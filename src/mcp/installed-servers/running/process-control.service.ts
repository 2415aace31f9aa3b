import { Injectable, Logger } from '@nestjs/common';
import { ToolsHostsClient } from '../hosts/tools-hosts.client.js';
import { ServerSupervisor } from '../../processes/supervision/server-supervisor.js';
import { CancellableWorkService } from './cancellable-work.service.js';

/** Stops and replaces the processes and connections of a server after a change of its row. Called after the commit. */
@Injectable()
export class ProcessControlService {
  private readonly log = new Logger(ProcessControlService.name);

  constructor(
    private readonly supervisor: ServerSupervisor,
    private readonly work: CancellableWorkService,
    private readonly hosts: ToolsHostsClient,
  ) {}

  /** Ends the server's processes with all descendants; running calls fail with `reason`. */
  stop(serverId: string, reason: string): Promise<void> {
    if (this.hosts.isNeeded) return this.hosts.askAll('stop', { serverId, reason });
    return this.supervisor.stop(serverId, reason);
  }

  /** Lets running calls finish on the old processes while new calls start new ones. Continues in the background. */
  replace(serverId: string, whenDone: () => Promise<void> = async () => undefined): void {
    this.supervisor.forgive(serverId);
    void this.supervisor
      .drain(serverId)
      .then(whenDone)
      .catch((error: unknown) =>
        this.log.error(`The processes of server ${serverId} could not be replaced: ${String(error)}`),
      );
  }

  /** Clears crashes and back-off, so that the next call starts the server at once. */
  forgive(serverId: string): void {
    if (this.hosts.isNeeded) void this.forgiveElsewhere(serverId);
    this.supervisor.forgive(serverId);
  }

  /**
   * Ends everything of a server whose row is deleted. The second removal ends a process that a call started while the
   * first one ran.
   */
  async remove(serverId: string, reason: string): Promise<void> {
    if (this.hosts.isNeeded) return this.hosts.askAll('remove', { serverId, reason });
    await Promise.all([this.supervisor.remove(serverId, reason), this.work.end(serverId)]);
    await this.supervisor.remove(serverId, reason);
  }

  private async forgiveElsewhere(serverId: string): Promise<void> {
    try {
      await this.hosts.askAll('forgive', { serverId });
    } catch (error) {
      this.log.warn(`Crashes of server ${serverId} are not forgotten on every host: ${String(error)}`);
    }
  }
}
