import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { ServerSupervisor } from '../processes/supervision/server-supervisor.js';
import { ToolsHostsClient } from '../tools-hosts/tools-hosts.client.js';
import { CancellableWorkService } from './cancellable-work.service.js';
import { removeDataFolders } from './server-folders.js';

interface Replacement {
  /** Absent: of all sets. */
  credentialSetId?: string;
  whenDone?: () => Promise<void>;
}

/** Stops and replaces the processes and connections of a server after a change of its row. Called after the commit. */
@Injectable()
export class ProcessControlService {
  private readonly log = new Logger(ProcessControlService.name);

  constructor(
    private readonly supervisor: ServerSupervisor,
    private readonly work: CancellableWorkService,
    private readonly hosts: ToolsHostsClient,
    private readonly settings: Settings,
  ) {}

  /**
   * Ends the processes of the server, or of one credential set, with all descendants; running calls fail with
   * `reason`.
   */
  stop(serverId: string, reason: string, credentialSetId?: string): Promise<void> {
    if (this.hosts.isNeeded) return this.hosts.askAll('stop', { serverId, reason, credentialSetId });
    return this.supervisor.stop(serverId, reason, credentialSetId);
  }

  /** Lets running calls finish on the old processes while new calls start new ones. Continues in the background. */
  replace(serverId: string, { credentialSetId, whenDone = async () => undefined }: Replacement = {}): void {
    this.supervisor.forgive(serverId, credentialSetId);
    void this.supervisor
      .drain(serverId, credentialSetId)
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

  /** Ends the processes of a credential set that was deleted, and removes their data folders. */
  async removeCredentialSet(serverId: string, credentialSetId: string): Promise<void> {
    if (this.hosts.isNeeded) return this.hosts.askAll('removeCredentialSet', { serverId, credentialSetId });
    await this.supervisor.stop(serverId, 'The credentials were removed by an admin.', credentialSetId);
    await removeDataFolders(this.settings.dataDir, serverId, credentialSetId);
  }

  private async forgiveElsewhere(serverId: string): Promise<void> {
    try {
      await this.hosts.askAll('forgive', { serverId });
    } catch (error) {
      this.log.warn(`Crashes of server ${serverId} are not forgotten on every host: ${String(error)}`);
    }
  }
}
