import { Injectable, Logger } from '@nestjs/common';
import { ServerSupervisor } from '../../processes/server-supervisor.js';
import { ServerWork } from './server-work.js';

/** Ends what runs of a server, in the ways that a change of its row asks for. Called after the commit. */
@Injectable()
export class LiveServers {
  private readonly log = new Logger(LiveServers.name);

  constructor(
    private readonly supervisor: ServerSupervisor,
    private readonly work: ServerWork,
  ) {}

  /** Ends its processes with all descendants; calls under way get `reason`. */
  stop(serverId: string, reason: string): Promise<void> {
    return this.supervisor.stop(serverId, reason);
  }

  /** Lets running calls finish while new ones already meet the server as it is now. Goes on by itself. */
  replace(serverId: string, whenDone: () => Promise<void> = async () => undefined): void {
    this.supervisor.forgive(serverId);
    void this.supervisor
      .drain(serverId)
      .then(whenDone)
      .catch((error: unknown) =>
        this.log.error(`Replacing the processes of ${serverId} failed: ${String(error)}`),
      );
  }

  /** Forgets crashes and back-off: the next call starts it at once. */
  forgive(serverId: string): void {
    this.supervisor.forgive(serverId);
  }

  /** Ends everything of a server that is gone; a call that was about to start it while the first stop ran, too. */
  async remove(serverId: string, reason: string): Promise<void> {
    await Promise.all([this.supervisor.remove(serverId, reason), this.work.end(serverId)]);
    await this.supervisor.remove(serverId, reason);
  }
}
