import { cutToBytes } from '../../../platform/http/text-and-instant-rules.js';
import { attachmentNameOf } from '../../attachments/attachment.entity.js';
import { LABELS_PER_ISSUE } from '../../labels/label-lookup-and-differences.service.js';
import type { ImportItem } from './import-items.js';

const TITLE_MOST = 500;
const NAME_MOST = 200;
const LABEL_MOST = 64;
const TEXT_MAX_BYTES = 65_536;
const EXTERNAL_ID_MOST = 500;
const URL_MOST = 2_048;
/** Longer than a name can be, so that `attachmentNameOf` keeps its extension. */
const FILENAME_MOST = 4_096;

/** What names an object, and the most characters that it may have. A longer one names nothing, and would be sent to the database. */
const NAMES = [
  ['externalId', EXTERNAL_ID_MOST],
  ['issue', EXTERNAL_ID_MOST],
  ['source', EXTERNAL_ID_MOST],
  ['target', EXTERNAL_ID_MOST],
  ['url', URL_MOST],
  ['contentType', EXTERNAL_ID_MOST],
  ['sha256', EXTERNAL_ID_MOST],
] as const;

/** The most of one sentence of a report: it names what the file has, which may be megabytes. */
const SENTENCE_MAX_BYTES = 1_000;

export const shortened = (sentence: string) => cutToBytes(sentence, SENTENCE_MAX_BYTES);

/** An item that can be stored, with what had to be changed for that, or null where nothing can be stored. */
export interface FittedItem {
  item: ImportItem | null;
  changes: string[];
}

/** Brings the texts of an item within the limits of this service (contract §1.4), and says what that took away. */
export function fitItem(item: ImportItem): FittedItem {
  const fit = new Fit();
  const named: Partial<Record<(typeof NAMES)[number][0], string | null>> = item as object;
  for (const [name, most] of NAMES)
    if ((named[name] ?? '').length > most)
      return fit.done(null, `${item.kind} left out: its ${name} has more than ${most} characters`);
  switch (item.kind) {
    case 'goal':
      return fit.done({
        ...item,
        title: fit.line('title', item.title, TITLE_MOST),
        description: fit.text('description', item.description),
      });
    case 'label':
      return fit.label(item.name) === null
        ? fit.done(null)
        : fit.done({
            ...item,
            name: fit.label(item.name)!,
            description: item.description && fit.text('description', item.description),
          });
    case 'issue':
      return fit.done({
        ...item,
        title: fit.line('title', item.title, TITLE_MOST),
        description: fit.text('description', item.description),
        labels: fit.labels(item.labels),
        agent: fit.name('agent', item.agent, NAME_MOST),
        assignee: fit.name('assignee', item.assignee, NAME_MOST),
        goal: fit.name('goal', item.goal, EXTERNAL_ID_MOST),
        createdBy: { ...item.createdBy, name: fit.line('author', item.createdBy.name, NAME_MOST) },
      });
    case 'comment': {
      const content = fit.text('comment', item.content);
      if (content === '') return fit.done(null, 'comment left out: it is empty');
      return fit.done({
        ...item,
        content,
        createdBy: { ...item.createdBy, name: fit.line('author', item.createdBy.name, NAME_MOST) },
      });
    }
    case 'attachment':
      return fit.done({
        ...item,
        filename: attachmentNameOf(item.filename.slice(0, FILENAME_MOST)),
        createdBy: { ...item.createdBy, name: fit.line('author', item.createdBy.name, NAME_MOST) },
      });
    case 'code':
      return fit.done({
        ...item,
        title: fit.line('title', item.title, TITLE_MOST),
        author: item.author && fit.line('author', item.author, NAME_MOST),
        createdBy: { ...item.createdBy, name: fit.line('author', item.createdBy.name, NAME_MOST) },
      });
    case 'schedule':
      return fit.done({
        ...item,
        name: fit.line('name', item.name.replaceAll(/\p{Cc}+/gu, ' '), NAME_MOST),
        template: {
          ...item.template,
          title: fit.line('title', item.template.title, TITLE_MOST),
          description: fit.text('description', item.template.description),
          labels: fit.labels(item.template.labels),
          agent: fit.name('agent', item.template.agent, NAME_MOST),
          assignee: fit.name('assignee', item.template.assignee, NAME_MOST),
          goal: fit.name('goal', item.template.goal, EXTERNAL_ID_MOST),
          parent: fit.name('parent', item.template.parent, EXTERNAL_ID_MOST),
          blockedBy: item.template.blockedBy.filter((name) => fit.name('blocker', name, EXTERNAL_ID_MOST)),
        },
      });
    case 'link':
      return fit.done({
        ...item,
        createdBy: { ...item.createdBy, name: fit.line('author', item.createdBy.name, NAME_MOST) },
      });
  }
}

/** The code points of a text, or more than `most` of them where it has more. A text may have megabytes. */
const pointsOf = (text: string, most: number) => [...text.slice(0, 2 * most + 2)];

class Fit {
  private readonly changes: string[] = [];

  done(item: ImportItem | null, change?: string): FittedItem {
    return { item, changes: change === undefined ? this.changes : [...this.changes, change] };
  }

  /** The title or name, trimmed. */
  line(what: string, text: string, most: number): string {
    const points = pointsOf(text.trim(), most);
    if (points.length <= most) return points.join('');
    this.changes.push(`${what} cut to ${most} characters`);
    return points.slice(0, most).join('').trim();
  }

  /** The name of something else, or null where nothing can have it. */
  name(what: string, name: string | null, most: number): string | null {
    if (name === null || name.length <= most) return name;
    this.changes.push(`${what} left out: its name has more than ${most} characters`);
    return null;
  }

  text(what: string, whole: string): string {
    if (Buffer.byteLength(whole) <= TEXT_MAX_BYTES) return whole;
    this.changes.push(`${what} cut to ${TEXT_MAX_BYTES} bytes`);
    return cutToBytes(whole, TEXT_MAX_BYTES);
  }

  /** Returns null for a name that no label may have. */
  label(name: string): string | null {
    const points = pointsOf(name.replaceAll(/\p{Cc}+/gu, ' ').trim(), LABEL_MOST);
    if (points.length > 0 && points.length <= LABEL_MOST) return points.join('');
    this.changes.push(`label left out: its name has not 1 to ${LABEL_MOST} characters`);
    return null;
  }

  labels(names: readonly string[]): string[] {
    const byName = new Map<string, string>();
    for (const name of names) {
      const fitting = this.label(name);
      if (fitting !== null) byName.set(fitting.toLowerCase(), fitting);
    }
    const all = [...byName.values()];
    if (all.length > LABELS_PER_ISSUE)
      this.changes.push(
        `${all.length - LABELS_PER_ISSUE} labels left out: an issue has at most ${LABELS_PER_ISSUE}`,
      );
    return all.slice(0, LABELS_PER_ISSUE);
  }
}
