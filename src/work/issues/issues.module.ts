import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { ExplainController } from './explain/explain.controller.js';
import { ExplainRepository } from './explain/explain.repository.js';
import { ExplainService } from './explain/explain.service.js';
import { GraphTurn } from './graph-turn.js';
import { IssueAccess } from './issue-access.js';
import { IssueCreation } from './issue-creation.js';
import { IssueDeletion } from './issue-deletion.js';
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
import { TimelineController } from './timeline/timeline.controller.js';
import { TimelineRepository } from './timeline/timeline.repository.js';

@Module({
  imports: [ProjectsModule],
  controllers: [ExplainController, IssuesController, IssuesOfProjectController, TimelineController],
  providers: [
    ExplainRepository,
    ExplainService,
    GraphTurn,
    IssueAccess,
    IssueCreation,
    IssueDeletion,
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
    TimelineRepository,
  ],
  exports: [
    IssueAccess,
    IssueCreation,
    IssueDeletion,
    IssueLeases,
    IssueLinks,
    IssueLists,
    IssueUpdate,
    IssuesRepository,
    LeasesRepository,
    StatusChanges,
  ],
})
export class IssuesModule {}
