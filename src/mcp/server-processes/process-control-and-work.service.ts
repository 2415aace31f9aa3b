import { Injectable, Logger } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { NotFound, Problem } from '../../platform/http/problem.js';
import { ServerSupervisor } from '../processes/supervision/server-supervisor.js';
import { ToolsHostsClient } from '../tools-hosts/tools-hosts-and-internal-keys.client.js';
import { removeDataFolders } from './server-folders.js';

interface Running {
  abort: AbortController;
  settled: Promise<void>;
}

const ignore = (): void => undefined;

/**
 * Keeps track of running work for servers outside the database: verifications, fetches and calls. Work registers before
 * it reads the server's row. The removal of a server commits first, then ends all registered work and waits for it, so
 * that nothing of a removed server is started or written afterwards.
 */
@Injectable()
export class CancellableWorkService {
  private readonly running = new Map<string, Set<Running>>();

  /** @param work settles soon after its signal fires and throws the reason of the signal */
  async run<T>(serverId: string, work: (ended: AbortSignal) => Promise<T>): Promise<T> {
    const abort = new AbortController();
    const result = work(abort.signal);
    // The caller of `run` receives an error; `settled` reports the end only.
    const mine: Running = { abort, settled: result.then(ignore, ignore) };
    const others = this.running.get(serverId) ?? new Set();
    this.running.set(serverId, others.add(mine));
    try {
      return await result;
    } finally {
      others.delete(mine);
      if (others.size === 0) this.running.delete(serverId);
    }
  }

  /** Ends all work of a server that was removed; resolves when it has settled. */
  async end(serverId: string): Promise<void> {
    await endAll([...(this.running.get(serverId) ?? [])], new NotFound());
  }

  /** Ends the work of every server because the service is shutting down. */
  async endAll(): Promise<void> {
    await endAll(
      [...this.running.values()].flatMap((running) => [...running]),
      new ServiceStopping(),
    );
  }
}

async function endAll(running: Running[], refusal: Problem): Promise<void> {
  for (const { abort } of running) abort.abort(refusal);
  await Promise.all(running.map(({ settled }) => settled));
}

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

/** 503: the service ends before long work has finished; nothing of the work was kept. */
export class ServiceStopping extends Problem {
  constructor() {
    super('unavailable', 'The service is shutting down; try again in a moment.', {
      headers: { 'Retry-After': '5' },
    });
  }
}
