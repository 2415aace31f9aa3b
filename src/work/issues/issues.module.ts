import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { IssueWords } from '../issue-status/issue-words.entity.js';
import { Issue } from '../issue-status/issue.entity.js';
import { DeletedLease, IssueLease, IssueLeaseBefore } from '../issue-status/issue-lease.entity.js';
import { LeaseFinish } from '../leases/lease-finish.entity.js';
import { IssueLink } from '../links/issue-link.entity.js';
import { AgentWorkController } from '../issue-reading/agent-work.controller.js';
import { AgentWorkRepository, AgentWorkService } from '../issue-reading/agent-work.service.js';
import { ExplainController } from '../issue-reading/explain.controller.js';
import { ExplainRepository, ExplainService } from '../issue-reading/explain.service.js';
import { GraphController } from '../issue-reading/graph.controller.js';
import { GraphRepository } from '../issue-reading/graph.repository.js';
import { GraphService } from '../issue-reading/graph.service.js';
import { IssueCountsController, IssueCountsRepository } from '../issue-reading/issue-counts.controller.js';
import { IssueListRepository } from '../issue-reading/issue-list.repository.js';
import { IssueListsService } from '../issue-reading/issue-lists.service.js';
import { TimelineController } from '../issue-reading/timeline.controller.js';
import { TimelineRepository } from '../issue-reading/timeline.repository.js';
import { WhyRepository, WhyService } from '../issue-reading/why.service.js';
import { IssueAccessService } from '../issue-status/issue-access.service.js';
import { AttemptsRepository } from '../issue-status/issue-attempts.repository.js';
import { IssueDependenciesRepository } from '../issue-status/issue-dependencies.repository.js';
import { LeasesRepository } from '../issue-status/issue-lease.repository.js';
import { IssuesRepository } from '../issue-status/issue.repository.js';
import { LeaseUsageRepository } from '../issue-status/lease-usage.repository.js';
import {
  GatesOfEndedIssuesRepository,
  StatusChangesService,
} from '../issue-status/status-changes.service.js';
import { StatusChangeRequestService } from '../issue-status/status-requests.service.js';
import { HeldLeasesRepository } from '../leases/held-lease.repository.js';
import { LeaseCheckService } from '../leases/lease-check.service.js';
import { LeaseFinishesRepository, LeaseFinishesService } from '../leases/lease-finishes.service.js';
import { IssueLeasesService } from '../leases/leases.service.js';
import { PickUpsRepository } from '../leases/pick-up.repository.js';
import { PickUpsService } from '../leases/pick-ups.service.js';
import { IssueLinkRepository } from '../links/issue-link.repository.js';
import { LinksController } from '../links/links.controller.js';
import { IssueLinksService } from '../links/links.service.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { IssueCreationService } from './issue-creation.service.js';
import { IssuePeopleRepository, IssuePeopleService } from './issue-people.service.js';
import { IssueUpdateService } from './issue-update.service.js';
import { IssuesOfProjectController } from './issues-of-project.controller.js';
import { IssuesController } from './issues.controller.js';
import { IssueDeletionService, IssuesService, PausingService } from './issues.service.js';

@Module({
  imports: [
    TypeOrmModule.forFeature([
      DeletedLease,
      Issue,
      IssueLease,
      IssueLeaseBefore,
      IssueLink,
      IssueWords,
      LeaseFinish,
    ]),
    ProjectsModule,
  ],
  controllers: [
    AgentWorkController,
    ExplainController,
    GraphController,
    IssueCountsController,
    IssuesController,
    IssuesOfProjectController,
    LinksController,
    TimelineController,
  ],
  providers: [
    AgentWorkRepository,
    AgentWorkService,
    AttemptsRepository,
    ExplainRepository,
    ExplainService,
    GraphRepository,
    GraphService,
    HeldLeasesRepository,
    IssueAccessService,
    IssueCountsRepository,
    IssueCreationService,
    IssueDeletionService,
    IssueDependenciesRepository,
    GatesOfEndedIssuesRepository,
    IssueLeasesService,
    IssueLinksService,
    IssueListRepository,
    IssueListsService,
    IssuePeopleRepository,
    IssuePeopleService,
    StatusChangeRequestService,
    IssueUpdateService,
    IssuesRepository,
    IssuesService,
    LeaseCheckService,
    LeaseFinishesRepository,
    LeaseFinishesService,
    LeasesRepository,
    LeaseUsageRepository,
    IssueLinkRepository,
    { provide: getRepositoryToken(IssueLink), useExisting: IssueLinkRepository },
    PausingService,
    PickUpsRepository,
    PickUpsService,
    StatusChangesService,
    TimelineRepository,
    WhyRepository,
    WhyService,
  ],
  exports: [
    TypeOrmModule,
    AttemptsRepository,
    HeldLeasesRepository,
    IssueAccessService,
    IssueCreationService,
    IssueDeletionService,
    IssueLeasesService,
    IssueLinksService,
    IssueListsService,
    IssueUpdateService,
    IssuesRepository,
    LeaseFinishesService,
    LeaseCheckService,
    LeasesRepository,
    LeaseUsageRepository,
    PickUpsService,
    StatusChangesService,
    WhyService,
  ],
})
export class IssuesModule {}
