import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { ProjectsModule } from '../projects/projects.module.js';
import {
  AttemptsRepository,
  GivenBackIssuesRepository,
} from './given-back-issues-and-attempts.repository.js';
import { IssueAccessService } from './issue-access.service.js';
import { IssueBatchesRepository } from './issue-batches.repository.js';
import { IssueDependenciesRepository } from './issue-dependencies.repository.js';
import { DeletedLease, IssueLease, IssueLeaseBefore } from './issue-lease.entities.js';
import { IssueLeaseRepository } from './issue-lease.repository.js';
import { Issue, IssueWords } from './issue.entity.js';
import { IssueRepository } from './issue.repository.js';
import { LeaseUsageRepository } from './lease-conditions-lengths-and-usage.repository.js';
import { GatesOfEndedIssuesRepository, StatusChangesService } from './status-changes.service.js';
import { StatusPutsAndClosesService } from './status-puts-and-closes.service.js';

/** The states of issues and their leases (contract §5.3), below everything else that is about issues. */
@Module({
  imports: [
    TypeOrmModule.forFeature([DeletedLease, Issue, IssueLease, IssueLeaseBefore, IssueWords]),
    ProjectsModule,
  ],
  providers: [
    AttemptsRepository,
    GivenBackIssuesRepository,
    GatesOfEndedIssuesRepository,
    IssueAccessService,
    IssueBatchesRepository,
    IssueDependenciesRepository,
    IssueLeaseRepository,
    IssueRepository,
    { provide: getRepositoryToken(Issue), useExisting: IssueRepository },
    { provide: getRepositoryToken(IssueLease), useExisting: IssueLeaseRepository },
    LeaseUsageRepository,
    StatusPutsAndClosesService,
    StatusChangesService,
  ],
  exports: [
    getRepositoryToken(Issue),
    getRepositoryToken(IssueLease),
    AttemptsRepository,
    GivenBackIssuesRepository,
    IssueAccessService,
    IssueBatchesRepository,
    IssueDependenciesRepository,
    LeaseUsageRepository,
    StatusPutsAndClosesService,
    StatusChangesService,
  ],
})
export class IssueStatusModule {}
