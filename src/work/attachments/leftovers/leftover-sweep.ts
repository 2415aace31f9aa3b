import {
  Inject,
  Injectable,
  Logger,
  type BeforeApplicationShutdown,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { IssueDeletion } from '../../issues/issue-deletion.js';
import { ATTACHMENT_STORE, type AttachmentStore } from '../store/attachment-store.js';
import { LeftoversRepository } from './leftovers.repository.js';
import { RunningUploads } from './running-uploads.js';

/** Much shorter than an upload is believed to run. */
const INTERVAL_MS = 5_000;
const BATCH = 100;
/** When to try again to remove bytes that could not be removed, in seconds. */
const AGAIN = 600;

/**
 * Removes bytes that have no row: after each deletion, at start, and every 5 seconds what a crash left (spec
 * §5.4). Several processes may sweep at once: each takes other bytes, and removing twice harms nothing. The
 * other way round, a row without bytes, can't come from a crash: a row is written after its bytes are durable,
 * and they are removed after it is gone.
 */
@Injectable()
export class LeftoverSweep implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(LeftoverSweep.name);
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;

  constructor(
    @Inject(ATTACHMENT_STORE) private readonly store: AttachmentStore,
    private readonly leftovers: LeftoversRepository,
    private readonly uploads: RunningUploads,
    deletion: IssueDeletion,
  ) {
    deletion.whenDeleted(() => this.removeDue());
  }

  onApplicationBootstrap(): void {
    this.timer = setInterval(() => this.tick(), INTERVAL_MS).unref();
    this.tick();
  }

  async beforeApplicationShutdown(): Promise<void> {
    if (this.timer) clearInterval(this.timer);
    await this.round;
  }

  /** Removes some of what is due, at most 100. @returns whether there may be more */
  async removeDue(): Promise<boolean> {
    const ids = await this.leftovers.claimDue(BATCH, AGAIN);
    if (ids.length === 0) return false;
    const removed = await Promise.all(ids.map((id) => this.remove(id)));
    await this.leftovers.forget(ids.filter((_, index) => removed[index]));
    return ids.length === BATCH;
  }

  /** A database that is away is told by readiness; the next tick tries again. */
  private tick(): void {
    void this.uploads.renew().catch(() => undefined);
    this.round ??= this.removeAllDue()
      .catch(() => undefined)
      .finally(() => (this.round = null));
  }

  private async removeAllDue(): Promise<void> {
    while (await this.removeDue());
  }

  private async remove(id: string): Promise<boolean> {
    try {
      await this.store.delete(id);
      return true;
    } catch (fault) {
      this.log.warn(`The bytes of the deleted attachment ${id} could not be removed: ${codeOf(fault)}`);
      return false;
    }
  }
}

/** The fault's message may tell a path. */
function codeOf(fault: unknown): string {
  return (fault as NodeJS.ErrnoException).code ?? 'unknown fault';
}
