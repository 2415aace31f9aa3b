import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FieldError, ValidationFailed } from '../../platform/http/problem.js';
import { isJsonObject } from '../../platform/json/exact-json.js';
import type { LabelRow } from '../issue-status/issue-row-and-references.js';
import { Label } from './label.entity.js';
import { LabelRepository } from './label.repository.js';

/** The most labels that an issue may have (contract §5.8). */
export const LABELS_PER_ISSUE = 50;

/** What a body changes in the labels of an issue. */
export interface LabelChange {
  added: LabelRow[];
  removed: LabelRow[];
  /** How many the issue has after it. */
  count: number;
}

/** Finds the labels that the body of an issue names, and gives them to the issue (contract §5.8). */
@Injectable()
export class IssueLabelsService {
  constructor(@InjectRepository(Label) private readonly labels: LabelRepository) {}

  /**
   * Finds the labels that a body names: each once, and one error for each place that names none.
   * @param given names, ids, or labels as an issue shows them; undefined names none
   * @param isKept whether none of them is deleted until the transaction ends
   */
  async find(
    projectId: string,
    given: unknown[] | undefined,
    isKept = true,
  ): Promise<{ labels: LabelRow[]; errors: FieldError[] }> {
    if (!given || given.length === 0) return { labels: [], errors: [] };
    const texts = given.map(textOf);
    const found = await this.labels.named(
      projectId,
      texts.map((text) => text ?? ''),
      isKept,
    );
    const errors = found.flatMap((label, place) => (label ? [] : [errorAt(place, texts[place] ?? null)]));
    const byId = new Map(found.flatMap((label) => (label ? [[label.id, label]] : [])));
    return { labels: [...byId.values()], errors };
  }

  /** As `find`, and keeps them. @throws {ValidationFailed} with one error for each place that names no label */
  async require(projectId: string, given: unknown[] | undefined): Promise<LabelRow[]> {
    const { labels, errors } = await this.find(projectId, given);
    if (errors.length > 0) throw new ValidationFailed(errors);
    return labels;
  }

  /** Compares the labels that an issue is to have with those that it has. The caller holds its row. @returns null where they are the same */
  async changeOf(issueId: string, wanted: LabelRow[]): Promise<LabelChange | null> {
    const present = await this.labels.ofIssue(issueId);
    const added = without(wanted, present);
    const removed = without(present, wanted);
    return added.length + removed.length > 0 ? { added, removed, count: wanted.length } : null;
  }

  /** Writes the change. The caller holds the issue's row, and writes `count` into it. */
  async write(issueId: string, { added, removed }: Pick<LabelChange, 'added' | 'removed'>): Promise<void> {
    await this.labels.change(issueId, added.map(idOf), removed.map(idOf));
  }
}

/** Labels as the journal records them: a colour is no part of what happened. */
export function recordedLabels(labels: LabelRow[]): { id: string; name: string }[] {
  return labels.map(({ id, name }) => ({ id, name }));
}

const idOf = ({ id }: LabelRow) => id;

function without(labels: LabelRow[], others: LabelRow[]): LabelRow[] {
  const ids = new Set(others.map(idOf));
  return labels.filter(({ id }) => !ids.has(id));
}

/** A label as an issue shows it is named by its id, so that an issue as it was read is a valid body. */
export function textOf(given: unknown): string | null {
  const text = isJsonObject(given) ? given['id'] : given;
  return typeof text === 'string' && text !== '' ? text.trim() : null;
}

export function errorAt(place: number, text: string | null): FieldError {
  const message = text === null ? 'must be the name or the id of a label' : 'names no label of this project';
  return { path: `labels[${place}]`, message };
}

/** The most different texts by which one request names labels: a project has no more labels. */
const MOST_NAMES = 500;

/** The labels that one issue of a request names. `place` is what the paths of its errors begin with. */
export interface GivenLabels {
  place: string;
  given: readonly unknown[] | undefined;
}

/** Finds and gives the labels of many new issues, in one statement each (contract §5.8, §5.10). */
@Injectable()
export class NewIssueLabelsService {
  constructor(@InjectRepository(Label) private readonly labels: LabelRepository) {}

  /**
   * Finds the labels of each issue, each once, and keeps them from being deleted until the transaction ends.
   * @returns one error for each place that names none
   */
  async find(
    projectId: string,
    several: readonly GivenLabels[],
  ): Promise<{ labels: LabelRow[][]; errors: FieldError[] }> {
    const named = several.map(({ place, given = [] }) => ({ place, texts: given.map(textOf) }));
    const texts = [...new Set(named.flatMap((one) => one.texts).filter((text) => text !== null))];
    if (texts.length > MOST_NAMES)
      throw new ValidationFailed([
        { path: 'issues', message: `must name at most ${MOST_NAMES} labels together` },
      ]);
    const found = texts.length > 0 ? await this.labels.named(projectId, texts) : [];
    const labelOf = new Map(texts.map((text, index) => [text, found[index] ?? null]));
    const errors: FieldError[] = [];
    const labels = named.map(({ place, texts: own }) => {
      const byId = new Map<string, LabelRow>();
      for (const [index, text] of own.entries()) {
        const label = text === null ? null : labelOf.get(text);
        if (label) byId.set(label.id, label);
        else {
          const { path, message } = errorAt(index, text);
          errors.push({ path: place + path, message });
        }
      }
      return [...byId.values()];
    });
    return { labels, errors };
  }

  /** As `find`. @throws {ValidationFailed} with one error for each place that names no label */
  async require(projectId: string, several: readonly GivenLabels[]): Promise<LabelRow[][]> {
    const { labels, errors } = await this.find(projectId, several);
    if (errors.length > 0) throw new ValidationFailed(errors);
    return labels;
  }

  /** Gives labels to issues that the running transaction has created with their count. */
  async add(issues: readonly { issueId: string; labels: readonly LabelRow[] }[]): Promise<void> {
    const given = issues.flatMap(({ issueId, labels }) => labels.map(({ id }) => ({ issueId, labelId: id })));
    if (given.length > 0) await this.labels.addToNew(given);
  }
}
