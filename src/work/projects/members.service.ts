import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { validate as isUuid } from 'uuid';
import { Forbidden } from '../../platform/authentication/authentication.errors.js';
import { type Principal, rankOf, type Role } from '../../platform/authentication/principals-and-roles.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import type { Page, PageRequest } from '../../platform/http/page-and-cursor.query.js';
import { type FieldError, ValidationFailed } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { Project, ProjectMember } from './project.entity.js';
import {
  type MemberRow,
  type PersonRow,
  ProjectMemberRepository,
  ProjectRepository,
} from './projects-members-and-graph-lock.repository.js';
import { ProjectsService } from './projects.service.js';

/** A change of one member, a user or an agent: the new role, or null to remove the member. */
export type MemberChange = Pick<ProjectMember, 'userId' | 'agentId'> & { role: Role | null };

/** Manages the members of a project. A change merges: members that it does not name stay as they are (contract §4). */
@Injectable()
export class MembersService {
  constructor(
    private readonly projectsService: ProjectsService,
    @InjectRepository(Project) private readonly projects: ProjectRepository,
    @InjectRepository(ProjectMember) private readonly members: ProjectMemberRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  async list(caller: Principal, reference: string, page: PageRequest): Promise<Page<MemberRow>> {
    const project = await this.projectsService.get(caller, reference);
    return this.members.list(project.id, page);
  }

  /** Lists the users whom issues can be assigned to, in the project that a query names, if it names one. */
  async listPeople(
    caller: Principal,
    reference: string | undefined,
    page: PageRequest,
  ): Promise<Page<PersonRow>> {
    const project = await this.projectsService.getFiltered(caller, reference);
    return this.members.listPeople(project?.id ?? null, page);
  }

  async merge(
    caller: Principal,
    reference: string,
    changes: MemberChange[],
    page: PageRequest,
  ): Promise<Page<MemberRow>> {
    const project = await this.projectsService.get(caller, reference, 'Admin');
    return this.transactions.run(async () => {
      await this.projects.lock(project.id);
      await this.refuse(project.id, project.callerRank, changes);
      for (const change of changes) await this.apply(project.id, change);
      await this.journal.record({
        type: 'project.members_changed',
        subject: { type: 'project', id: project.id },
        projectId: project.id,
        data: { entries: changes },
      });
      return this.members.list(project.id, page);
    });
  }

  private async apply(projectId: string, { userId, agentId, role }: MemberChange): Promise<void> {
    const [member, column] =
      userId === null ? [{ projectId, agentId: agentId! }, 'agent_id'] : [{ projectId, userId }, 'user_id'];
    if (role === null) return void (await this.members.delete(member));
    const insert = this.members
      .createQueryBuilder()
      .insert()
      .values({ ...member, role });
    await insert.orUpdate(['role'], ['project_id', column]).updateEntity(false).execute();
  }

  private async refuse(projectId: string, callerRank: number, changes: MemberChange[]): Promise<void> {
    const ids = changes.map(({ userId, agentId }) => userId ?? agentId!);
    const known = await this.members.findCandidates(
      projectId,
      ids.filter((id) => isUuid(id)),
    );
    const errors = changes.flatMap((change, index) => this.errorsOf(change, index, ids, known));
    if (errors.length > 0) throw new ValidationFailed(errors);
    for (const [index, { role }] of changes.entries()) {
      const present = known.find(({ id }) => id === ids[index])?.role ?? null;
      for (const touched of [role, present]) if (touched) refuseAbove(callerRank, touched);
    }
  }

  private errorsOf(
    change: MemberChange,
    index: number,
    ids: string[],
    known: { id: string; type: string }[],
  ): FieldError[] {
    const type = change.userId === null ? 'agent' : 'user';
    const path = `entries[${index}].${type}Id`;
    if (ids.indexOf(ids[index]!) !== index) return [{ path, message: 'is named twice' }];
    if (known.some((candidate) => candidate.id === ids[index] && candidate.type === type)) return [];
    return [{ path, message: `names no ${type}` }];
  }
}

function refuseAbove(callerRank: number, role: Role): void {
  if (rankOf(role) > callerRank) throw new Forbidden(`${role} is above your own role here.`);
}
