import { Injectable, type OnModuleInit } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { v7 as uuidv7, validate as isUuid } from 'uuid';
import { SeenProjectsService } from '../../agents/seen-projects.service.js';
import { isAtLeast, type Principal, type Role } from '../../platform/authentication/principals-and-roles.js';
import { isForeignKeyViolation, isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { Problem, ValidationFailed } from '../../platform/http/problem.js';
import {
  SealedResponsesService,
  type ReplayRights,
} from '../../platform/idempotency/idempotency-and-sealed-responses.interceptor.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { Project, ProjectMember } from './project.entity.js';
import {
  GraphLockRepository,
  ProjectMemberRepository,
  ProjectRepository,
  type ProjectRow,
  type SeenProject,
} from './projects-members-and-graph-lock.repository.js';
import type { CreateProjectRequest, UpdateProjectRequest } from './project-and-member.dto.js';
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

/** SQL: a union of the tables of modules above. Finds the project of the object with an id. */
const BY_ID = `
  SELECT id AS project FROM projects WHERE id = $1
  UNION ALL SELECT project_id FROM issues WHERE id = $1
  UNION ALL SELECT project_id FROM goals WHERE id = $1
  UNION ALL SELECT i.project_id FROM comments c JOIN issues i ON i.id = c.issue_id WHERE c.id = $1
  UNION ALL SELECT i.project_id FROM attachments f JOIN issues i ON i.id = f.issue_id WHERE f.id = $1
  UNION ALL SELECT project_id FROM gates WHERE id = $1
  UNION ALL SELECT project_id FROM labels WHERE id = $1
  UNION ALL SELECT project_id FROM code_hooks WHERE id = $1
  UNION ALL SELECT i.project_id FROM code_links c JOIN issues i ON i.id = c.issue_id WHERE c.id = $1
  UNION ALL SELECT i.project_id FROM issue_links l JOIN issues i ON i.id = l.source_issue_id WHERE l.id = $1`;

/** SQL: issues have their entity in a module above. Finds a project by its key, or by that of an issue. */
const BY_KEY = `
  SELECT p.id AS project FROM projects p
  WHERE p.key = split_part($1, '-', 1) AND (p.key = $1 OR EXISTS (
    SELECT 1 FROM issues i WHERE i.project_id = p.id AND p.key || '-' || i.number = $1))`;

/** Checks that a caller may still do in a project what it did, before its stored response is returned (contract §1.7). */
@Injectable()
export class ReplayRightsService implements ReplayRights, OnModuleInit {
  constructor(
    private readonly requests: SealedResponsesService,
    private readonly projectsService: ProjectsService,
    @InjectRepository(Project) private readonly projects: Repository<Project>,
  ) {}

  onModuleInit(): void {
    this.requests.use(this);
  }

  /**
   * Finds a project by what lies in it; whether the caller sees that is decided by the request itself. The objects that
   * paths name have ids of their own, except issues, which have keys too.
   */
  async projectOf(parameters: Readonly<Record<string, unknown>>): Promise<string | null> {
    const [reference] = Object.values(parameters).filter((value) => typeof value === 'string');
    if (reference === undefined) return null;
    const sql = isUuid(reference) ? BY_ID : BY_KEY;
    const [found] = await this.projects.query<{ project: string }[]>(sql, [reference]);
    return found?.project ?? null;
  }

  async require(caller: Principal, projectId: string, threshold: Role): Promise<void> {
    if (await this.projects.existsBy({ id: projectId }))
      await this.projectsService.get(caller, projectId, threshold);
  }
}
