import { cutToBytes } from '../../../platform/http/text-rules.js';
import { LABELS_PER_ISSUE } from '../../labels/issue-labels.service.js';
import type { ImportItem } from './import-item.js';

const TITLE_MOST = 500;
const NAME_MOST = 200;
const LABEL_MOST = 64;
const TEXT_MAX_BYTES = 65_536;
const EXTERNAL_ID_MOST = 500;

/** An item that can be stored, with what had to be changed for that, or null where nothing can be stored. */
export interface FittedItem {
  item: ImportItem | null;
  changes: string[];
}

/** Brings the texts of an item within the limits of this service (contract §1.4), and says what that took away. */
export function fitItem(item: ImportItem): FittedItem {
  const fit = new Fit();
  if ('externalId' in item && item.externalId.length > EXTERNAL_ID_MOST)
    return {
      item: null,
      changes: [`${item.kind} left out: its id has more than ${EXTERNAL_ID_MOST} characters`],
    };
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
        : fit.done({ ...item, name: fit.label(item.name)! });
    case 'issue':
      return fit.done({
        ...item,
        title: fit.line('title', item.title, TITLE_MOST),
        description: fit.text('description', item.description),
        labels: fit.labels(item.labels),
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
        },
      });
    case 'link':
      return fit.done({
        ...item,
        createdBy: { ...item.createdBy, name: fit.line('author', item.createdBy.name, NAME_MOST) },
      });
  }
}

class Fit {
  private readonly changes: string[] = [];

  done(item: ImportItem | null, change?: string): FittedItem {
    return { item, changes: change === undefined ? this.changes : [...this.changes, change] };
  }

  /** The title or name, trimmed. */
  line(what: string, text: string, most: number): string {
    const points = [...storable(text).trim()];
    if (points.length <= most) return points.join('');
    this.changes.push(`${what} cut to ${most} characters`);
    return points.slice(0, most).join('').trim();
  }

  text(what: string, text: string): string {
    const whole = storable(text);
    if (Buffer.byteLength(whole) <= TEXT_MAX_BYTES) return whole;
    this.changes.push(`${what} cut to ${TEXT_MAX_BYTES} bytes`);
    return cutToBytes(whole, TEXT_MAX_BYTES);
  }

  /** Returns null for a name that no label may have. */
  label(name: string): string | null {
    const points = [
      ...storable(name)
        .replaceAll(/\p{Cc}+/gu, ' ')
        .trim(),
    ];
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

/** Text without what PostgreSQL cannot store or UTF-8 cannot express. */
const storable = (text: string) => text.replaceAll(/\0|\p{Surrogate}/gu, '\uFFFD');
