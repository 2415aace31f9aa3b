import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectDataSource, InjectRepository } from '@nestjs/typeorm';
import { Any, DataSource, Repository } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { IssueDeletionService } from '../issues/issue-pausing-closing-deletion.service.js';
import { ATTACHMENT_STORE, type AttachmentStore } from './attachment-store.js';
import { AttachmentLeftover } from './attachment.entity.js';
import { Problem } from '../../platform/http/problem.js';

/** Beside what TypeORM gives, the statements about leftovers that stay SQL (decision 0053). */
@Injectable()
export class AttachmentLeftoverRepository extends Repository<AttachmentLeftover> {
  constructor(@InjectDataSource() source: DataSource) {
    super(AttachmentLeftover, source.manager);
  }

  /**
   * SQL: an insert from a read. Marks bytes for removal, unless they belong to an attachment after all. This also holds for
   * bytes that a sweep has removed before: an object store accepts an upload that finishes after that.
   */
  async giveUp(id: string): Promise<void> {
    await this.query(
      `INSERT INTO attachment_leftovers (id, is_upload, remove_at)
       SELECT $1::uuid, false, now() WHERE NOT EXISTS (SELECT FROM attachments WHERE id = $1::uuid)
       ON CONFLICT (id) DO UPDATE SET is_upload = false, remove_at = now()`,
      [id],
    );
  }

  /**
   * SQL: SKIP LOCKED. Claims some files that are due. From then on no upload can become an attachment with them. When the
   * process that claimed them dies, another one claims them after `seconds`.
   */
  async claimDue(limit: number, seconds: number): Promise<string[]> {
    const [rows] = await this.query<[{ id: string }[], number]>(
      `UPDATE attachment_leftovers SET is_upload = false, remove_at = now() + make_interval(secs => $2)
       WHERE id IN (SELECT id FROM attachment_leftovers WHERE remove_at <= now() ORDER BY remove_at LIMIT $1 FOR UPDATE SKIP LOCKED)
       RETURNING id`,
      [limit, seconds],
    );
    return rows.map((row) => row.id);
  }
}

/** When an upload counts as dead: after 20 seconds without a renewal, by the clock of the database. */
const removeAt = () => "now() + interval '20 seconds'";

/**
 * The uploads of this process, from before their first byte until their row exists. The database lists each as bytes
 * without a row, with a time after which any process may remove them. While this process lives it postpones that time.
 * So no other process removes what is still being written, and what a crash left is removed soon.
 */
@Injectable()
export class RunningUploadsService {
  private readonly ids = new Set<string>();

  constructor(
    @InjectRepository(AttachmentLeftover) private readonly leftovers: AttachmentLeftoverRepository,
  ) {}

  /** Registers an upload. Call it before the first byte is written. */
  async begin(id: string): Promise<void> {
    this.ids.add(id);
    await this.leftovers.insert({ id, isUpload: true, removeAt });
  }

  /**
   * Call it in the transaction that writes the row: with its commit the bytes belong to an attachment.
   * @throws {UploadOvertaken} when the bytes have been given up
   */
  async complete(id: string): Promise<void> {
    const { affected } = await this.leftovers.delete({ id, isUpload: true });
    if (affected !== 1) throw new UploadOvertaken();
  }

  /** Ends an upload, successful or not. @param kept false to have its bytes removed */
  async end(id: string, kept: boolean): Promise<void> {
    if (this.ids.delete(id) && !kept) await this.leftovers.giveUp(id);
  }

  async renew(): Promise<void> {
    if (this.ids.size > 0)
      await this.leftovers.update({ id: Any([...this.ids]), isUpload: true }, { removeAt });
  }
}

/** Much shorter than the time after which an upload counts as dead. */
const INTERVAL_MS = 5_000;
const BATCH = 100;
/** After how many seconds the removal of bytes is tried again. */
const AGAIN = 600;

/**
 * Removes orphaned files, which are bytes without a row: after each deletion, at start, and every 5 seconds those that a
 * crash left (contract §5.4). Several processes may sweep at once: each claims other files, and removing one twice does
 * no harm. A crash cannot leave a row without bytes: a row is written after its bytes are durable, and bytes are removed
 * after their row.
 */
@Injectable()
export class LeftoverSweepWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(LeftoverSweepWorker.name);
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;

  constructor(
    @Inject(ATTACHMENT_STORE) private readonly store: AttachmentStore,
    @InjectRepository(AttachmentLeftover) private readonly leftovers: AttachmentLeftoverRepository,
    private readonly uploads: RunningUploadsService,
    private readonly settings: Settings,
    deletion: IssueDeletionService,
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

  /** Removes at most 100 files that are due. @returns whether there may be more */
  async removeDue(): Promise<boolean> {
    const ids = await this.leftovers.claimDue(BATCH, AGAIN);
    if (ids.length === 0) return false;
    const removed = await Promise.all(ids.map((id) => this.remove(id)));
    await this.leftovers.delete({ id: Any(ids.filter((_, index) => removed[index])), isUpload: false });
    return ids.length === BATCH;
  }

  /** Renews running uploads and removes what is due. */
  private tick(): void {
    // Readiness reports a database that fails, and the next tick tries again.
    void this.uploads.renew().catch(() => undefined);
    if (!this.settings.duties.background) return;
    this.round ??= this.removeAllDue()
      // As above.
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
    } catch (error) {
      this.log.warn(`The bytes of the deleted attachment ${id} could not be removed: ${codeOf(error)}`);
      return false;
    }
  }
}

/** Returns the code alone: the message of an error may contain a path. */
function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown error';
}

/** 503: a sweep took the upload for one that a crash had left, and removed its bytes. */
class UploadOvertaken extends Problem {
  constructor() {
    super('unavailable', 'The upload could not be finished in time; send it again.', {
      headers: { 'Retry-After': '1' },
    });
  }
}
