import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { v7 as uuidv7 } from 'uuid';
import type { Principal, Role } from '../../platform/authentication/principals-and-roles.js';
import { isForeignKeyViolation, isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { NotFound, Problem } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { Project } from '../projects/project.entity.js';
import {
  ProjectRepository,
  type SeenProject,
} from '../projects/projects-members-and-graph-lock.repository.js';
import { requireRole } from '../projects/visibility.js';
import type { CreateLabelRequest, UpdateLabelRequest } from './label.dto.js';
import { Label } from './label.entity.js';
import { type CountedLabel, LabelRepository, type SeenLabel } from './label.repository.js';

/** The most labels that a project may have (contract §5.8). */
const LABELS_PER_PROJECT = 500;

/** 409: another label of the project has this name, in whatever case. */
export class LabelNameTaken extends Problem {
  constructor(name: string) {
    super('name_taken', `The project has a label ${JSON.stringify(name)} already; choose another name.`);
  }
}

/** 409: the project has as many labels as it may have. */
export class LabelLimit extends Problem {
  constructor() {
    super('label_limit', `A project has at most ${LABELS_PER_PROJECT} labels; delete some first.`);
  }
}

/** Manages the labels of projects (contract §5.8). Which of them an issue has is set with the issue. */
@Injectable()
export class LabelsService {
  constructor(
    @InjectRepository(Label) private readonly labels: LabelRepository,
    @InjectRepository(Project) private readonly projects: ProjectRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  list(project: SeenProject, page: PageRequest): Promise<Page<CountedLabel>> {
    return this.labels.list(project.id, page);
  }

  async get(caller: Principal, labelId: string, threshold: Role = 'Viewer'): Promise<SeenLabel> {
    return requireRole(caller, await this.labels.findSeen(caller, labelId), threshold);
  }

  /**
   * Creates a label. The project's row is locked, so that labels of one project are counted and created one by one.
   * @param project that the caller sees and may write in
   */
  create(project: SeenProject, request: CreateLabelRequest): Promise<CountedLabel> {
    const { name, color = 'gray', description = '' } = request;
    return this.transactions.run(async () => {
      await this.projects.lock(project.id);
      const isFull = (await this.labels.countBy({ projectId: project.id })) >= LABELS_PER_PROJECT;
      if (isFull) throw new LabelLimit();
      const id = uuidv7();
      await refuseTakenName(
        name,
        this.labels.insert({ id, projectId: project.id, name, color, description }),
      );
      await this.journal.record({
        type: 'label.created',
        subject: { type: 'label', id },
        projectId: project.id,
        data: { name, color },
      });
      return (await this.labels.read(id))!;
    });
  }

  /** Its issues show the label as it is now, so that none of them gets a new version. */
  async update(caller: Principal, labelId: string, request: UpdateLabelRequest): Promise<CountedLabel> {
    const { id } = await this.get(caller, labelId, 'Editor');
    return this.transactions.run(async () => {
      const before = await this.lock(id);
      const data = differences(before, request);
      if (Object.keys(data).length > 0) {
        const { name, color, description } = request;
        const change = { name, color, description, updatedAt: () => 'now()' };
        await refuseTakenName(name ?? before.name, this.labels.update({ id }, change));
        await this.journal.record({
          type: 'label.updated',
          subject: { type: 'label', id },
          projectId: before.projectId,
          data,
        });
      }
      return (await this.labels.read(id))!;
    });
  }

  /**
   * Deletes a label and takes it off its issues. They are locked before the label, in the order of a transaction that
   * gives an issue a label; the second query takes it off the issues that got it between the two locks.
   */
  async delete(caller: Principal, labelId: string): Promise<void> {
    const { id } = await this.get(caller, labelId, 'Editor');
    await this.transactions.run(async () => {
      const first = await this.labels.takeOffIssues(id);
      const { projectId, name } = await this.lock(id);
      const issueIds = [...first, ...(await this.labels.takeOffIssues(id))];
      await this.labels.delete({ id });
      await this.journal.record(
        { type: 'label.deleted', subject: { type: 'label', id }, projectId, data: { name } },
        ...issueIds.map((issueId) => ({
          type: 'issue.updated' as const,
          subject: { type: 'issue', id: issueId },
          projectId,
          issueId,
          data: { labels: { added: [], removed: [{ id, name }] } },
        })),
      );
    });
  }

  /** Locks the label: no change of it, and no issue that gets it, passes. @throws NotFound when it has been deleted */
  private async lock(id: string): Promise<Label> {
    const label = await this.labels.findOne({ where: { id }, lock: { mode: 'pessimistic_write' } });
    if (!label) throw new NotFound();
    return label;
  }
}

/** @throws {LabelNameTaken} when the write gives a name that another label of the project has */
async function refuseTakenName(name: string, write: Promise<unknown>): Promise<void> {
  try {
    await write;
  } catch (error) {
    if (isUniqueViolation(error, 'labels_name_unique')) throw new LabelNameTaken(name);
    // The project was deleted after it was read.
    if (isForeignKeyViolation(error, 'labels_project_fk')) throw new NotFound();
    throw error;
  }
}

function differences(
  before: Label,
  wished: UpdateLabelRequest,
): Record<string, { old: string; new: string }> {
  const fields = ['name', 'color', 'description'] as const;
  const changed = fields.filter((field) => wished[field] !== undefined && wished[field] !== before[field]);
  return Object.fromEntries(changed.map((field) => [field, { old: before[field], new: wished[field]! }]));
}
