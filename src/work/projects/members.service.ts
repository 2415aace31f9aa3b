import { Injectable } from '@nestjs/common';
import { validate as isUuid } from 'uuid';
import { Forbidden } from '../../platform/authentication/authentication.errors.js';
import { type Principal, rankOf, type Role } from '../../platform/authentication/principal.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import type { Page, PageRequest } from '../../platform/http/page.js';
import { type FieldError, ValidationFailed } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import { type MemberChange, type MemberRow, MembersRepository } from './project-member.repository.js';
import { ProjectsRepository } from './project.repository.js';
import { ProjectsService } from './projects.service.js';

/** Manages the members of a project. A change merges: members that it does not name stay as they are (contract §4). */
@Injectable()
export class MembersService {
  constructor(
    private readonly projectsService: ProjectsService,
    private readonly projects: ProjectsRepository,
    private readonly members: MembersRepository,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  async list(caller: Principal, reference: string, page: PageRequest): Promise<Page<MemberRow>> {
    const project = await this.projectsService.get(caller, reference);
    return this.members.list(project.id, page);
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
      for (const change of changes) await this.members.apply(project.id, change);
      await this.journal.record({
        type: 'project.members_changed',
        subject: { type: 'project', id: project.id },
        projectId: project.id,
        data: { entries: changes },
      });
      return this.members.list(project.id, page);
    });
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
