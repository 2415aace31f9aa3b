import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FieldError, ValidationFailed } from '../../platform/http/problem.js';
import { isJsonObject } from '../../platform/json/exact-json.js';
import type { LabelRow } from '../issue-status/issue-row.js';
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
