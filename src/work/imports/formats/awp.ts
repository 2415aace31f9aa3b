import { Readable } from 'node:stream';
import { extract } from 'tar-stream';
import { codeStates } from '../../code/code.entity.js';
import { type LabelColor, labelColors } from '../../issue-status/issue-row-and-references.js';
import { type Priority, priorities, statuses } from '../../issue-status/issue-status.js';
import { policies } from '../../schedules/schedule.entity.js';
import { FORMAT, FORMAT_VERSION, type LineKind } from '../export-lines-sql.js';
import {
  type Fields,
  type ImportItem,
  instantIn,
  isFields,
  listIn,
  type MappedRecord,
  type NamedAuthor,
  requiredText,
  textIn,
  unreadableTimes,
  UnreadableRecord,
} from './import-items.js';

const LINK_TYPES = ['Blocks', 'RelatedTo', 'DuplicateOf', 'Child'] as const;

const READERS: Record<LineKind, (line: Fields) => MappedRecord> = {
  project: readProject,
  goal: (line) => of({ kind: 'goal', externalId: requiredText(line, 'externalId'), ...wordsOf(line) }),
  label: readLabel,
  issue: readIssue,
  link: readLink,
  comment: readComment,
  code: readCode,
  schedule: readSchedule,
  attachment: readAttachment,
  end: () => ({ items: [], ignored: [], isEnd: true }),
};

const TIMES = ['createdAt', 'updatedAt', 'startedAt', 'resolvedAt', 'closedAt'] as const;

/** Maps a line of an export (contract §5.12). */
export function fromAwp(line: Fields): MappedRecord {
  const kind = requiredText(line, 'kind');
  if (!Object.hasOwn(READERS, kind))
    throw new UnreadableRecord(`has the unknown kind ${JSON.stringify(kind)}`);
  const mapped = READERS[kind as LineKind](line);
  return { ...mapped, ignored: [...mapped.ignored, ...unreadableTimes(line, TIMES)] };
}

const of = (...items: ImportItem[]): MappedRecord => ({ items, ignored: [] });

const wordsOf = (line: Fields) => ({
  title: requiredText(line, 'title'),
  description: textIn(line, 'description') ?? '',
});

/** The project itself stays as it is. */
function readProject(line: Fields): MappedRecord {
  if (line['format'] !== FORMAT || line['version'] !== FORMAT_VERSION)
    throw new UnreadableRecord(`is not the first line of an export of the version ${FORMAT_VERSION}`);
  return of();
}

function readLabel(line: Fields): MappedRecord {
  const color = textIn(line, 'color');
  return of({
    kind: 'label',
    name: requiredText(line, 'name'),
    color: labelColors.includes(color as LabelColor) ? (color as LabelColor) : undefined,
    description: textIn(line, 'description') ?? undefined,
  });
}

function readIssue(line: Fields): MappedRecord {
  const status = statuses.find((one) => one === line['status']);
  if (!status) throw new UnreadableRecord('has no known status');
  const agent = textIn(line, 'agent');
  return of({
    kind: 'issue',
    externalId: requiredText(line, 'externalId'),
    ...wordsOf(line),
    status: status === 'WaitingOnDependency' ? 'Open' : status,
    paused: line['paused'] === true,
    priority: priorityIn(line),
    agent,
    assignee: textIn(line, 'assignee'),
    goal: textIn(line, 'goal'),
    labels: listIn(line, 'labels').filter((name) => typeof name === 'string'),
    createdBy: authorIn(line),
    ...timesOf(line),
    startedAt: instantIn(line, 'startedAt'),
    resolvedAt: instantIn(line, 'resolvedAt'),
    closedAt: instantIn(line, 'closedAt'),
  });
}

function readLink(line: Fields): MappedRecord {
  const linkType = LINK_TYPES.find((one) => one === line['linkType']);
  if (!linkType) throw new UnreadableRecord('has no known linkType');
  return of({
    kind: 'link',
    linkType,
    source: requiredText(line, 'source'),
    target: requiredText(line, 'target'),
    holdsParent: line['holdsParent'] !== false,
    createdBy: authorIn(line),
    createdAt: instantIn(line, 'createdAt'),
  });
}

function readComment(line: Fields): MappedRecord {
  return of({
    kind: 'comment',
    externalId: requiredText(line, 'externalId'),
    issue: requiredText(line, 'issue'),
    content: textIn(line, 'content') ?? '',
    createdBy: authorIn(line),
    ...timesOf(line),
  });
}

function readAttachment(line: Fields): MappedRecord {
  return of({
    kind: 'attachment',
    externalId: requiredText(line, 'externalId'),
    issue: requiredText(line, 'issue'),
    filename: textIn(line, 'filename') ?? '',
    contentType: textIn(line, 'contentType') ?? '',
    sha256: textIn(line, 'sha256'),
    createdBy: authorIn(line),
    createdAt: instantIn(line, 'createdAt'),
  });
}

function readCode(line: Fields): MappedRecord {
  const url = requiredText(line, 'url');
  return of({
    kind: 'code',
    issue: requiredText(line, 'issue'),
    url,
    title: textIn(line, 'title') ?? url,
    state: codeStates.find((one) => one === line['state']) ?? 'open',
    author: textIn(line, 'author'),
    counts: line['counts'] !== false,
    createdBy: authorIn(line),
    createdAt: instantIn(line, 'createdAt'),
  });
}

function readSchedule(line: Fields): MappedRecord {
  if (!isFields(line['template'])) throw new UnreadableRecord('has no template');
  const { template } = line as { template: Fields };
  const textsIn = (name: string) => listIn(template, name).filter((one) => typeof one === 'string');
  const item: ImportItem = {
    kind: 'schedule',
    name: requiredText(line, 'name'),
    cron: requiredText(line, 'cron'),
    timeZone: textIn(line, 'timeZone') ?? 'UTC',
    policy: policies.find((one) => one === line['policy']) ?? 'skip',
    template: {
      ...wordsOf(template),
      priority: priorityIn(template),
      agent: textIn(template, 'agent'),
      assignee: textIn(template, 'assignee'),
      goal: textIn(template, 'goal'),
      labels: textsIn('labels'),
      parent: textIn(template, 'parent'),
      holdsParent: template['holdsParent'] !== false,
      blockedBy: textsIn('blockedBy'),
    },
  };
  return { items: [item], ignored: line['enabled'] === true ? ['enabled of a schedule'] : [] };
}

const priorityIn = (line: Fields): Priority => priorities.find((one) => one === line['priority']) ?? 'none';

const timesOf = (line: Fields) => ({
  createdAt: instantIn(line, 'createdAt'),
  updatedAt: instantIn(line, 'updatedAt'),
});

function authorIn(line: Fields): NamedAuthor {
  const by = isFields(line['createdBy']) ? line['createdBy'] : {};
  const type = (['agent', 'system'] as const).find((one) => one === by['type']) ?? 'user';
  return { type, name: textIn(by, 'name') ?? 'unknown' };
}

/** The file of an archive that has the lines of its export (contract §5.12). */
export const LINES_FILE = 'export.ndjson';
/** The last file of an archive that is whole. */
export const END_FILE = 'end.json';
/** What the name of an attachment begins with. Its id follows. */
export const ATTACHED_FOLDER = 'attachments/';

/** How many bytes at the beginning of a file tell an archive from lines. */
export const HEADER_BYTES = 512;

/** Whether these bytes begin a tar. Its header has NUL characters, which no text of JSON has. */
export function isArchive(beginning: Buffer): boolean {
  return beginning.subarray(257, 262).toString('latin1') === 'ustar' && beginning.includes(0);
}

/** A file of an archive. Nothing is found, stored or written by its name. */
export interface ArchivedFile {
  name: string;
  size: number;
  bytes: AsyncIterable<Buffer>;
}

/** Thrown where the bytes of an archive are no tar, or end too early. */
export class ArchiveDamaged extends Error {}

/**
 * Reads the files of a tar one after the other. What is not read of a file is skipped when the next one is asked for. Links and folders
 * are no files.
 * @throws {ArchiveDamaged} also while the bytes of a file are read
 */
export async function* filesIn(bytes: AsyncIterable<Buffer>): AsyncGenerator<ArchivedFile> {
  const source = Readable.from(bytes, { objectMode: false });
  const archive = extract();
  let failure: Error | null = null;
  source.on('error', (error: Error) => {
    failure = error;
    archive.destroy(error);
  });
  source.pipe(archive);
  const whole = async function* <Part>(parts: AsyncIterable<Part>): AsyncGenerator<Part> {
    try {
      for await (const part of parts) yield part;
    } catch (error) {
      throw failure ?? new ArchiveDamaged((error as Error).message);
    }
  };
  try {
    for await (const entry of whole(archive)) {
      const { name, size = 0, type } = entry.header;
      if (type === 'file' || type === 'contiguous-file')
        yield { name: name.replace(/^(?:\.\/)+/, ''), size, bytes: whole(entry as AsyncIterable<Buffer>) };
      entry.resume();
    }
  } finally {
    source.destroy();
  }
}

/** Reads the lines of the export that an archive has. @throws {ArchiveDamaged} where it has none */
export async function* linesIn(bytes: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  for await (const file of filesIn(bytes)) {
    if (file.name !== LINES_FILE) continue;
    yield* file.bytes;
    return;
  }
  throw new ArchiveDamaged(`it has no ${LINES_FILE}`);
}
