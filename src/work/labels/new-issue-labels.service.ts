import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type FieldError, ValidationFailed } from '../../platform/http/problem.js';
import type { LabelRow } from '../issue-status/issue-row.js';
import { errorAt, textOf } from './issue-labels.service.js';
import { Label } from './label.entity.js';
import { LabelRepository } from './label.repository.js';

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
