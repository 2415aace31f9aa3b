import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { v7 as uuidv7 } from 'uuid';
import { SeenProjectsService } from '../../agents/seen-projects.service.js';
import { isAtLeast, type Principal, type Role } from '../../platform/authentication/principal.js';
import { isForeignKeyViolation, isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { Problem, ValidationFailed } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { Project, ProjectMember } from './project.entity.js';
import { ProjectMemberRepository } from './project-member.repository.js';
import {
  GraphLockRepository,
  ProjectRepository,
  type ProjectRow,
  type SeenProject,
} from './project-and-graph-lock.repository.js';
import type { CreateProjectRequest, UpdateProjectRequest } from './project.dto.js';
import { requireRole, visibilityOf } from './visibility.js';

class ProjectKeyTaken extends Problem {
  constructor(key: string) {
    super('name_taken', `Another project has the key ${key}; choose another one.`);
  }
}

class ProjectNotEmpty extends Problem {
  constructor() {
    super('not_empty', 'The project still has issues; delete them first.');
  }
}

class LinksToOtherProjects extends Problem {
  constructor() {
    super(
      'cross_project_link',
      'Issues of this project are linked with other projects; remove these links before it becomes members-only.',
    );
  }
}

export class ConfirmationRequired extends Problem {
  constructor(what: string) {
    super('confirmation_required', `This deletes the ${what} for good; send confirm=true to do it.`);
  }
}

/** Manages projects (contract §4). */
@Injectable()
export class ProjectsService {
  constructor(
    @InjectRepository(Project) private readonly projects: ProjectRepository,
    @InjectRepository(ProjectMember) private readonly members: ProjectMemberRepository,
    private readonly graph: GraphLockRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  list(caller: Principal, page: PageRequest): Promise<Page<ProjectRow>> {
    return this.projects.listSeen(caller, page);
  }

  /**
   * Returns the project of a path.
   * @throws {NotFound | RoleTooLow} unless the caller's role there is at least `threshold`
   */
  async get(caller: Principal, reference: string, threshold: Role = 'Viewer'): Promise<SeenProject> {
    return requireRole(caller, await this.projects.findSeen(caller, reference), threshold);
  }

  /**
   * Returns the project that a query names as a filter, or null where it names none.
   * @throws {ValidationFailed} for a project that the caller does not see: a wrong filter is never a silent empty list
   */
  async getFiltered(caller: Principal, reference: string | undefined): Promise<SeenProject | null> {
    if (reference === undefined) return null;
    const project = await this.projects.findSeen(caller, reference);
    if (!project)
      throw new ValidationFailed([{ path: 'projectId', message: 'names no project that you can see' }]);
    return project;
  }

  create(caller: Principal, request: CreateProjectRequest): Promise<ProjectRow> {
    return this.transactions.run(async () => {
      const { key, name, description = '', visibility = 'open', agentsMayAssign = 'any' } = request;
      const id = uuidv7();
      try {
        await this.projects.insert({ id, key, name, description, visibility, agentsMayAssign });
      } catch (error) {
        if (isUniqueViolation(error, 'projects_key_unique')) throw new ProjectKeyTaken(key);
        throw error;
      }
      if (visibility === 'members' && caller.type === 'user')
        await this.members.addUser(id, caller.id, caller.role);
      await this.journal.record({
        type: 'project.created',
        subject: { type: 'project', id },
        projectId: id,
        data: { key, name, visibility },
      });
      return this.get(caller, id);
    });
  }

  async update(caller: Principal, reference: string, request: UpdateProjectRequest): Promise<ProjectRow> {
    const { id } = await this.get(caller, reference, 'Editor');
    return this.transactions.run(async () => {
      // With the graph lock no link can appear between reading the links and the commit.
      if (request.visibility === 'members') await this.graph.take();
      await this.projects.lock(id);
      const before = await this.get(caller, id, 'Editor');
      const closes = request.visibility === 'members' && before.visibility === 'open';
      if (closes && (await this.projects.hasLinksToOthers(id))) throw new LinksToOtherProjects();
      if (closes && caller.type === 'user') await this.members.addUser(id, caller.id, caller.role);
      const { name, description, visibility, agentsMayAssign } = request;
      await this.projects.update(
        { id },
        { name, description, visibility, agentsMayAssign, updatedAt: () => 'now()' },
      );
      const after = await this.get(caller, id);
      const data = differences(before, after);
      if (Object.keys(data).length > 0)
        await this.journal.record({
          type: 'project.updated',
          subject: { type: 'project', id },
          projectId: id,
          data,
        });
      return after;
    });
  }

  async delete(caller: Principal, reference: string, confirmed: boolean): Promise<void> {
    const project = await this.get(caller, reference, 'Admin');
    if (!confirmed) throw new ConfirmationRequired('project');
    await this.transactions.run(async () => {
      try {
        await this.projects.delete({ id: project.id });
      } catch (error) {
        if (isForeignKeyViolation(error)) throw new ProjectNotEmpty();
        throw error;
      }
      const { id, key, name } = project;
      await this.journal.record({
        type: 'project.deleted',
        subject: { type: 'project', id },
        projectId: id,
        data: { key, name },
      });
    });
  }
}

function differences(before: ProjectRow, after: ProjectRow): Record<string, { old: unknown; new: unknown }> {
  const fields = ['name', 'description', 'visibility', 'agentsMayAssign'] as const;
  const changed = fields.filter((field) => before[field] !== after[field]);
  return Object.fromEntries(changed.map((field) => [field, { old: before[field], new: after[field] }]));
}

/** Says to the register of agents which projects a caller sees (contract §2.2). */
@Injectable()
export class SeenProjectsProvider implements OnModuleInit {
  constructor(private readonly projects: SeenProjectsService) {}

  onModuleInit(): void {
    this.projects.rule = (caller, alias, from) =>
      caller.type === 'user' && isAtLeast(caller.role, 'Admin') ? null : visibilityOf(caller, alias, from);
  }
}
