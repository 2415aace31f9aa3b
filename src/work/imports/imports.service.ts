import { Inject, Injectable } from '@nestjs/common';
import type { Request } from 'express';
import { validate as isUuid, v7 as uuidv7 } from 'uuid';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { allowLongUpload } from '../../platform/http/in-flight-connections-and-slow-readers.js';
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
import { MOST_RECORD_BYTES } from './import-file.js';
import { ImportJobWorker } from './import-job.worker.js';
import { ImportRepository, type ListedImport } from './import.repository.js';
import type { Import, ImportFormat } from './import.entity.js';

/** The most bytes of an archive, whose attachments are most of it (contract §5.12). */
const MOST_ARCHIVE_BYTES = 34_359_738_368;
/** The most imports of one project that have not ended. Each keeps its file. */
const MOST_UNFINISHED = 5;

const TYPES = /^(?:application\/(?:json|jsonl|x-ndjson|ndjson)|text\/csv)\s*(?:;\s*charset="?utf-8"?\s*)?$/i;
const ARCHIVE_TYPE = /^application\/x-tar\s*$/i;

class ImportTooLarge extends Problem {
  constructor(most: number) {
    super('payload_too_large', `A file to import may have at most ${most} bytes; divide it.`);
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
    const most = requireFile(request, format);
    await this.refuseTooMany(project.id);
    allowLongUpload(request);
    const id = uuidv7();
    try {
      await this.uploads.begin(id);
      await this.store.write(id, bounded(request, most));
      const again = await this.projects.get(caller, projectId, 'Admin');
      await this.transactions.run(async () => {
        await this.uploads.complete(id);
        // Files that arrive at once are counted one by one.
        await this.progress.lockCount(again.id);
        await this.refuseTooMany(again.id);
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

  private async refuseTooMany(projectId: string): Promise<void> {
    const unfinished = await this.progress.countBy([
      { projectId, state: 'queued' },
      { projectId, state: 'running' },
    ]);
    if (unfinished >= MOST_UNFINISHED) throw new TooManyImports();
  }
}

/** 429: the project has as many imports that have not ended as it may. */
class TooManyImports extends Problem {
  constructor() {
    super('rate_limited', 'Imports into this project are still running; wait until they end.', {
      headers: { 'Retry-After': '10' },
    });
  }
}

/**
 * @returns the most bytes that the body may have
 * @throws {Problem} for a body that is no file of a known format, is compressed, or says that it is too large
 */
function requireFile({ headers }: Request, format: ImportFormat): number {
  const encoding = headers['content-encoding']?.trim().toLowerCase() ?? 'identity';
  const type = headers['content-type'] ?? '';
  const isArchive = format === 'awp' && ARCHIVE_TYPE.test(type);
  if ((!isArchive && !TYPES.test(type)) || encoding !== 'identity')
    throw new Problem(
      'unsupported_media_type',
      'Send the file as it is, uncompressed and in UTF-8, as application/x-ndjson, application/json or text/csv, and an archive of an export as application/x-tar.',
    );
  const most = isArchive ? MOST_ARCHIVE_BYTES : MOST_RECORD_BYTES;
  if (Number(headers['content-length'] ?? 0) > most) throw new ImportTooLarge(most);
  return most;
}

async function* bounded(bytes: AsyncIterable<Buffer>, most: number): AsyncGenerator<Buffer> {
  let size = 0;
  for await (const chunk of bytes) {
    size += chunk.length;
    if (size > most) throw new ImportTooLarge(most);
    yield chunk;
  }
  if (size === 0)
    throw new ValidationFailed([{ path: '', message: 'the body must be a file that is not empty' }]);
}
