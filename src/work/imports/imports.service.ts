import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { NotFound, Problem, ValidationFailed } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import {
  ATTACHMENT_STORE,
  type AttachmentStore,
  isStoreFull,
  StoreFull,
} from '../attachments/attachment-store.js';
import { RunningUploadsService } from '../attachments/leftovers-and-running-uploads.worker.js';
import { ProjectsService } from '../projects/projects.service.js';
import { ImportJobWorker } from './import-job.worker.js';
import { ImportRepository, type ListedImport } from './import.repository.js';
import type { Import, ImportFormat } from './import.entity.js';

/** The most bytes of a file (contract §5.12). */
const MAX_BYTES = 1_073_741_824;
/** The most imports of one project that have not ended. Each keeps its file. */
const MOST_UNFINISHED = 5;

const TYPES = /^(?:application\/(?:json|jsonl|x-ndjson|ndjson)|text\/csv)\s*(?:;\s*charset="?utf-8"?\s*)?$/i;

class ImportTooLarge extends Problem {
  constructor() {
    super('payload_too_large', `A file to import may have at most ${MAX_BYTES} bytes; divide it.`);
  }
}

/** Receives files to import, and shows how far they are (contract §5.12). */
@Injectable()
export class ImportsService {
  constructor(
    private readonly projects: ProjectsService,
    private readonly progress: ImportRepository,
    @Inject(ATTACHMENT_STORE) private readonly store: AttachmentStore,
    private readonly uploads: RunningUploadsService,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
    private readonly worker: ImportJobWorker,
  ) {}

  async list(caller: Principal, projectId: string, page: PageRequest): Promise<Page<ListedImport>> {
    const project = await this.projects.get(caller, projectId, 'Admin');
    return this.progress.list(project.id, page);
  }

  async get(caller: Principal, projectId: string, importId: string): Promise<Import> {
    const project = await this.projects.get(caller, projectId, 'Admin');
    const row = isUuid(importId)
      ? await this.progress.findOneBy({ id: importId, projectId: project.id })
      : null;
    if (!row) throw new NotFound();
    return row;
  }

  /** Stores the file beside attachments and queues its import. The role is checked before the bytes are read, and again after it. */
  async receive(
    caller: Principal,
    projectId: string,
    format: ImportFormat,
    request: Request,
  ): Promise<Import> {
    const project = await this.projects.get(caller, projectId, 'Admin');
    requireFile(request);
    const unfinished = await this.progress.countBy([
      { projectId: project.id, state: 'queued' },
      { projectId: project.id, state: 'running' },
    ]);
    if (unfinished >= MOST_UNFINISHED)
      throw new Problem('rate_limited', 'Imports into this project are still running; wait until they end.', {
        headers: { 'Retry-After': '10' },
      });
    const id = uuidv7();
    try {
      await this.uploads.begin(id);
      await this.store.write(id, bounded(request));
      const again = await this.projects.get(caller, projectId, 'Admin');
      await this.transactions.run(async () => {
        await this.uploads.complete(id);
        const by = { startedById: caller.id, startedByName: caller.name };
        await this.progress.insert({ id, projectId: again.id, format, ...by });
        await this.journal.record({
          type: 'import.started',
          subject: { type: 'import', id },
          projectId: again.id,
          data: { format },
        });
      });
    } catch (error) {
      await this.uploads.end(id, false);
      throw isStoreFull(error) ? new StoreFull() : error;
    }
    await this.uploads.end(id, true);
    this.worker.look();
    return this.progress.findOneByOrFail({ id });
  }
}

/** @throws {Problem} for a body that is no file of a known format, is compressed, or says that it is too large */
function requireFile({ headers }: Request): void {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  if (!TYPES.test(headers['content-type'] ?? '') || encoding !== 'identity')
    throw new Problem(
      'unsupported_media_type',
      'Send the file as it is, uncompressed and in UTF-8, as application/x-ndjson, application/json or text/csv.',
    );
  if (Number(headers['content-length'] ?? 0) > MAX_BYTES) throw new ImportTooLarge();
}

async function* bounded(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > MAX_BYTES) throw new ImportTooLarge();
    yield chunk;
  }
  if (size === 0)
    throw new ValidationFailed([{ path: '', message: 'the body must be a file that is not empty' }]);
}
