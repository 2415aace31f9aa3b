import { setTimeout as pause } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Inject,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { v4 as uuidv4 } from 'uuid';
import { inBackground } from '../../platform/authentication/principals-and-roles.js';
import { User } from '../../platform/authentication/authentication.entities.js';
import { UserRepository } from '../../platform/authentication/user.repository.js';
import { Settings } from '../../platform/config/settings.js';
import { isUnavailable, outcomeUnknown } from '../../platform/database/postgres-errors.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { RepeatedFailure } from '../../platform/failures/repeated-failure.js';
import { Problem } from '../../platform/http/problem.js';
import { JournalService, withOrigin } from '../../platform/journal/journal.service.js';
import {
  areBytesMissing,
  ATTACHMENT_STORE,
  type AttachmentStore,
  isStoreFull,
} from '../attachments/attachment-store.js';
import { AttachmentLeftover } from '../attachments/attachment.entity.js';
import { AttachmentLeftoverRepository } from '../attachments/leftovers-and-running-uploads.worker.js';
import { ProjectsService } from '../projects/projects.service.js';
import { seenByAgent, seenByUser } from '../projects/visibility.js';
import type { AttachmentItem, IssueItem } from './formats/import-items.js';
import { ArchiveDamaged } from './formats/awp.js';
import { ImportAttachmentsService } from './import-attachments.service.js';
import {
  ATTACHING,
  type Batch,
  batchesOf,
  type FileSurvey,
  PASSES,
  StoredFile,
  surveyOf,
} from './import-file.js';
import { ImportIssuesService, type ImportJob, NOTHING, type Placed } from './import-issues.service.js';
import { ImportLinksService } from './import-links.service.js';
import { ImportSchedulesAndCodeService } from './import-schedules-and-code.service.js';
import { ClaimLost, ImportRepository, type Outcome } from './import.repository.js';
import { Import } from './import.entity.js';

const LOOK_MS = 5_000;
/** Much shorter than a claim. */
const RENEW_MS = 4_000;
/** The most often that a process begins an import without coming any further. */
const MOST_ATTEMPTS = 5;
/** How long an attempt without progress waits for what is not to be had. After that, other imports have their turn. */
const PATIENCE_MS = 60_000;
const AGAIN_MS = 500;

/** An error of the file or of who imports it. The import ends with its message. */
class ImportFails extends Error {}

/**
 * Works on imports (contract §5.12), one at a time in each process. The file is read once to count what is in it, and then once per pass:
 * goals, labels and issues; then links, comments, code and schedules; then attachments; then who has what. Each batch is one transaction with the place in the
 * file, so that a process that dies loses at most one batch, and another one continues. Agents get their issues in the last pass,
 * so that no agent begins with one before its blockers are there.
 */
@Injectable()
export class ImportJobWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly log = new Logger(ImportJobWorker.name);
  private readonly failure = new RepeatedFailure(this.log, 'Imports could not be looked for; trying again');
  private timer: NodeJS.Timeout | null = null;
  private round: Promise<void> | null = null;
  private stopping = false;

  constructor(
    private readonly progress: ImportRepository,
    private readonly contents: ImportIssuesService,
    private readonly links: ImportLinksService,
    private readonly others: ImportSchedulesAndCodeService,
    private readonly attachments: ImportAttachmentsService,
    private readonly projects: ProjectsService,
    @InjectRepository(User) private readonly users: UserRepository,
    @Inject(ATTACHMENT_STORE) private readonly store: AttachmentStore,
    @InjectRepository(AttachmentLeftover) private readonly leftovers: AttachmentLeftoverRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
    private readonly settings: Settings,
  ) {}

  onApplicationBootstrap(): void {
    if (!this.settings.duties.background) return;
    this.timer = setInterval(() => this.look(), LOOK_MS).unref();
    this.look();
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.stopping = true;
    if (this.timer) clearInterval(this.timer);
    await this.round;
  }

  /** Looks for imports to work on, as it does every 5 seconds. */
  look(): void {
    if (!this.settings.duties.background || this.stopping) return;
    this.round ??= this.workOnAll().finally(() => (this.round = null));
  }

  private async workOnAll(): Promise<void> {
    try {
      for (let next = await this.take(); next; next = await this.take()) {
        const renewal = this.renewing(next);
        await this.workOn(next).finally(() => clearInterval(renewal));
        if (this.stopping) break;
      }
      this.failure.succeeded();
    } catch (error) {
      this.failure.failed(error);
    }
  }

  private take(): Promise<Import | null> {
    return this.transactions.run(() => this.progress.take(uuidv4()));
  }

  private renewing(row: Import): NodeJS.Timeout {
    // The next renewal may succeed, and the next progress finds out whether the claim is lost.
    return setInterval(() => void this.progress.renew(row).catch(() => undefined), RENEW_MS);
  }

  private async workOn(row: Import): Promise<void> {
    const actor = { type: 'user' as const, id: row.startedById, name: row.startedByName };
    const origin = { requestId: `import-${row.id}`, traceparent: null, from: null, actor };
    try {
      if (row.attempts > MOST_ATTEMPTS)
        throw new ImportFails('An error of the service stops it again and again; its log says which.');
      await withOrigin(origin, () => this.persist(row));
    } catch (error) {
      if (error instanceof ClaimLost) return;
      const failure = failureOf(error);
      if (failure !== null) return withOrigin(origin, () => this.finish(row, failure));
      const reason = error instanceof Error ? (error.stack ?? error.message) : String(error);
      this.log.error(`The import ${row.id} met an error and is tried again: ${reason}`);
      // The claim ends by itself, and the next look takes it then.
    }
  }

  /**
   * Goes on from the last progress where another client holds a lock for longer than a statement waits, or the store is away. A new
   * attempt would begin only when the claim has ended, and five of them end the import.
   */
  private async persist(row: Import): Promise<void> {
    let last = '';
    for (let since = performance.now(); ; await pause(AGAIN_MS)) {
      try {
        const held = await this.progress.held(row);
        const place = [held.pass, held.position, held.created, held.updated].join();
        if (place !== last) since = performance.now();
        last = place;
        return await this.run(held);
      } catch (error) {
        if (!isTemporary(error) || this.stopping || performance.now() - since > PATIENCE_MS) throw error;
      }
    }
  }

  private async run(row: Import): Promise<void> {
    const job = await this.jobOf(row);
    const file = new StoredFile(this.store, row.id, row.format);
    if (row.total === null) await this.survey(job, file);
    else await this.findPeople(job, (await surveyed(row, file)).people);
    for (; row.pass < PASSES; row.pass += 1) {
      const isDone = row.pass === ATTACHING ? await this.attach(job, file) : await this.writeAll(job, file);
      if (!isDone) return this.progress.release(row.id, row.claim!);
      row.position = 0;
    }
    await this.finish(row, null);
  }

  /** @returns false where the process stops */
  private async writeAll(job: ImportJob, file: StoredFile): Promise<boolean> {
    const { format, pass, position } = job.row;
    for await (const batch of batchesOf(format, await file.records(), pass, position)) {
      if (!(await this.mayGoOn(job))) return false;
      if (!(await this.write(job, pass, batch))) return false;
    }
    return true;
  }

  /** As `writeAll`, for the attachments of an archive. */
  private async attach(job: ImportJob, file: StoredFile): Promise<boolean> {
    if (!(await file.isArchive())) return true;
    const named: Placed<AttachmentItem>[] = [];
    for await (const { items } of batchesOf(job.row.format, await file.records(), ATTACHING, 0))
      named.push(...(items as Placed<AttachmentItem>[]));
    return this.attachments.make(job, named, file, () => this.mayGoOn(job));
  }

  /** Whether the process goes on. @throws {ImportFails} where the person may not import any more */
  private async mayGoOn(job: ImportJob): Promise<boolean> {
    if (this.stopping) return false;
    Object.assign(job, await this.rightsOf(job.row));
    return true;
  }

  private async jobOf(row: Import): Promise<ImportJob> {
    return { row, ...(await this.rightsOf(row)), labels: new Map(), people: new Map() };
  }

  /** Who imports, as it is now, and into what. @throws {ImportFails} where that person may not any more */
  private async rightsOf(row: Import): Promise<Pick<ImportJob, 'caller' | 'project'>> {
    const user = await this.users.findOneBy({ id: row.startedById });
    if (!user || user.disabledAt !== null) throw new ImportFails('The person who started it is disabled.');
    const caller = inBackground(user);
    try {
      return { caller, project: await this.projects.get(caller, row.projectId, 'Admin') };
    } catch (error) {
      if (error instanceof Problem && error.status < 500)
        throw new ImportFails('The person who started it is no Admin of the project any more.');
      throw error;
    }
  }

  /** Reads the file once, before anything is written. */
  private async survey(job: ImportJob, file: StoredFile): Promise<void> {
    const { row } = job;
    const found = await surveyed(row, file);
    if (found.failure) throw new ImportFails(found.failure);
    await this.findPeople(job, found.people);
    const ignored = Object.fromEntries(found.ignored);
    for (const [name, count] of found.people) {
      const { agentId, userId } = job.people.get(name)!;
      if (agentId === null && userId === null) ignored[`assignee ${name}`] = count;
    }
    const { errors, skipped, total } = found;
    await this.transactions.run(async () => {
      await this.progress.advance(row, { pass: 0, position: 0 }, 0, { ...NOTHING, errors, skipped });
      await this.progress.begin(row, { total, ignored });
    });
  }

  private async findPeople({ row, people }: ImportJob, named: ReadonlyMap<string, number>): Promise<void> {
    const seen = { byAgent: seenByAgent('p', 'a.id'), byUser: seenByUser('p', 'u.id') };
    const found = await this.progress.people(row.projectId, [...named.keys()], seen);
    for (const { name, agentId, userId } of found) people.set(name, { agentId, userId });
  }

  private async write(job: ImportJob, pass: number, batch: Batch): Promise<boolean> {
    const { row } = job;
    const before = pass === 0 ? await this.contents.prepare(job, batch, () => this.mayGoOn(job)) : NOTHING;
    if (before === null) return false;
    const place = batch.isLast ? { pass: pass + 1, position: 0 } : { pass, position: batch.end };
    await this.transactions.run(async () => {
      if (pass === PASSES - 1) {
        await this.links.assign(job, batch.items as Placed<IssueItem>[]);
        return this.progress.advance(row, place, 0, NOTHING);
      }
      const done =
        pass === 0
          ? [before, await this.contents.make(job, batch.items)]
          : [await this.links.make(job, batch.items), await this.others.make(job, batch.items)];
      await this.progress.advance(row, place, batch.items.length, sumOf(done));
    });
    return true;
  }

  private async finish(row: Import, failure: string | null): Promise<void> {
    await this.transactions.run(async () => {
      const ended = await this.progress.finish(row, failure);
      const { total, created, updated, skipped, format, projectId, id } = ended;
      await this.leftovers.giveUp(id);
      await this.journal.record({
        type: failure === null ? 'import.completed' : 'import.failed',
        subject: { type: 'import', id },
        projectId,
        data: { format, total, created, updated, skipped },
      });
    });
  }
}

const surveyed = async ({ format }: Import, file: StoredFile): Promise<FileSurvey> =>
  surveyOf(format, await file.records(), await file.isArchive());

const sumOf = (done: readonly Outcome[]): Outcome => ({
  created: done.reduce((total, { created }) => total + created, 0),
  updated: done.reduce((total, { updated }) => total + updated, 0),
  skipped: done.reduce((total, { skipped }) => total + skipped, 0),
  errors: done.flatMap(({ errors }) => errors),
});

/** A write whose outcome is not known may still come true, so that its claim must end first. */
const isTemporary = (error: unknown): boolean =>
  error instanceof Problem ? error.status === 503 : isUnavailable(error) && !outcomeUnknown(error);

/** Why an import ends for good; null for an error after which it is tried again. */
function failureOf(error: unknown): string | null {
  if (error instanceof ImportFails) return error.message;
  if (error instanceof ArchiveDamaged) return `The archive cannot be read: ${error.message}.`;
  if (areBytesMissing(error)) return 'Its file is not in the store any more.';
  return isStoreFull(error) ? 'There is no space left for its attachments.' : null;
}
