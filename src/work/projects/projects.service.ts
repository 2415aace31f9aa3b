import { Injectable } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import type { Principal } from '../../platform/auth/principal.js';
import type { Role } from '../../platform/auth/roles.js';
import { isForeignKeyViolation, isUniqueViolation } from '../../platform/database/postgres-errors.js';
import { Transactions } from '../../platform/database/transactions.js';
import type { Page, PageRequest } from '../../platform/http/page.js';
import { Journal } from '../../platform/journal/journal.js';
import type { CreateProjectRequest } from './dto/create-project.request.js';
import type { UpdateProjectRequest } from './dto/update-project.request.js';
import { GraphLock } from './graph-lock.js';
import { MembersRepository } from './members/members.repository.js';
import type { ProjectEntity } from './project.entity.js';
import {
  ConfirmationRequired,
  LinksToOtherProjects,
  ProjectKeyTaken,
  ProjectNotEmpty,
} from './projects.errors.js';
import { ProjectsRepository, type SeenProject } from './projects.repository.js';
import { requireRole } from './require-role.js';

/** Projects (spec §4). */
@Injectable()
export class ProjectsService {
  constructor(
    private readonly projects: ProjectsRepository,
    private readonly members: MembersRepository,
    private readonly graph: GraphLock,
    private readonly transactions: Transactions,
    private readonly journal: Journal,
  ) {}

  list(caller: Principal, page: PageRequest): Promise<Page<ProjectEntity>> {
    return this.projects.listSeen(caller, page);
  }

  /** The project of a path, for a caller whose role there is at least `threshold`. */
  async get(caller: Principal, reference: string, threshold: Role = 'Viewer'): Promise<SeenProject> {
    return requireRole(caller, await this.projects.findSeen(caller, reference), threshold);
  }

  create(caller: Principal, request: CreateProjectRequest): Promise<ProjectEntity> {
    return this.transactions.run(async () => {
      const { key, name, description = '', visibility = 'open' } = request;
      const id = uuidv7();
      try {
        await this.projects.insert({ id, key, name, description, visibility });
      } catch (fault) {
        if (isUniqueViolation(fault, 'projects_key_unique')) throw new ProjectKeyTaken(key);
        throw fault;
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

  async update(caller: Principal, reference: string, request: UpdateProjectRequest): Promise<ProjectEntity> {
    const { id } = await this.get(caller, reference, 'Editor');
    return this.transactions.run(async () => {
      // No link can appear between the look at the links and the commit.
      if (request.visibility === 'members') await this.graph.take();
      await this.projects.lock(id);
      const before = await this.get(caller, id, 'Editor');
      const closes = request.visibility === 'members' && before.visibility === 'open';
      if (closes && (await this.projects.hasLinksToOthers(id))) throw new LinksToOtherProjects();
      if (closes && caller.type === 'user') await this.members.addUser(id, caller.id, caller.role);
      await this.projects.update(id, { ...request });
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
        await this.projects.delete(project.id);
      } catch (fault) {
        if (isForeignKeyViolation(fault)) throw new ProjectNotEmpty();
        throw fault;
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

function differences(
  before: ProjectEntity,
  after: ProjectEntity,
): Record<string, { old: unknown; new: unknown }> {
  const fields = ['name', 'description', 'visibility'] as const;
  const changed = fields.filter((field) => before[field] !== after[field]);
  return Object.fromEntries(changed.map((field) => [field, { old: before[field], new: after[field] }]));
}
