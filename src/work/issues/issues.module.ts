import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { GraphTurn } from './graph-turn.js';
import { IssueAccess } from './issue-access.js';
import { IssueCreation } from './issue-creation.js';
import { IssueDependenciesRepository } from './issue-dependencies.repository.js';
import { IssueDependencies } from './issue-dependencies.js';
import { IssueLinks } from './issue-links.js';
import { IssueListRepository } from './issue-list.repository.js';
import { IssueLists } from './issue-lists.js';
import { IssuePeople } from './issue-people.js';
import { IssueStatusWish } from './issue-status-wish.js';
import { IssueUpdate } from './issue-update.js';
import { IssuesController } from './issues.controller.js';
import { IssuesOfProjectController } from './issues-of-project.controller.js';
import { IssuesRepository } from './issues.repository.js';
import { IssuesService } from './issues.service.js';
import { IssueLeases } from './leases/issue-leases.js';
import { LeaseCheck } from './leases/lease-check.js';
import { LeasesRepository } from './leases/leases.repository.js';
import { LinksRepository } from './links.repository.js';
import { StatusChanges } from './status-changes.js';

@Module({
  imports: [ProjectsModule],
  controllers: [IssuesController, IssuesOfProjectController],
  providers: [
    GraphTurn,
    IssueAccess,
    IssueCreation,
    IssueDependencies,
    IssueDependenciesRepository,
    IssueLeases,
    IssueLinks,
    IssueListRepository,
    IssueLists,
    IssuePeople,
    IssueStatusWish,
    IssueUpdate,
    IssuesRepository,
    IssuesService,
    LeaseCheck,
    LeasesRepository,
    LinksRepository,
    StatusChanges,
  ],
  exports: [IssueAccess, IssueCreation, IssueLeases, IssueLinks, IssueLists, IssueUpdate, IssuesRepository, LeasesRepository, StatusChanges],
})
export class IssuesModule {}
