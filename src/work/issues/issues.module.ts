import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { ExplainController } from './explain/explain.controller.js';
import { ExplainRepository } from './explain/explain.repository.js';
import { ExplainService } from './explain/explain.service.js';
import { GatesOfEndedIssuesRepository } from './status/gates-of-ended-issues.repository.js';
import { IssueAccessService } from './issue-access.service.js';
import { IssueCreationService } from './issue-creation.service.js';
import { IssueDeletionService } from './issue-deletion.service.js';
import { IssueDependenciesRepository } from './status/issue-dependencies.repository.js';
import { IssueLinksService } from './links/issue-links.service.js';
import { IssueListRepository } from './list/issue-list.repository.js';
import { IssueListsService } from './list/issue-lists.service.js';
import { IssuePeopleRepository } from './issue-people.repository.js';
import { IssuePeopleService } from './issue-people.service.js';
import { StatusChangeRequestService } from './status/status-change-request.service.js';
import { IssueUpdateService } from './issue-update.service.js';
import { IssuesController } from './issues.controller.js';
import { IssuesOfProjectController } from './issues-of-project.controller.js';
import { IssuesRepository } from './issues.repository.js';
import { IssuesService } from './issues.service.js';
import { IssueCountsController } from './counts/issue-counts.controller.js';
import { IssueCountsRepository } from './counts/issue-counts.repository.js';
import { GraphController } from './graph/graph.controller.js';
import { GraphRepository } from './graph/graph.repository.js';
import { GraphService } from './graph/graph.service.js';
import { IssueLeasesService } from './leases/issue-leases.service.js';
import { AttemptsRepository } from './leases/attempts.repository.js';
import { HeldLeasesRepository } from './leases/held-leases.repository.js';
import { LeaseCheckService } from './leases/lease-check.service.js';
import { LeaseFinishesRepository } from './leases/lease-finishes.repository.js';
import { LeaseFinishesService } from './leases/lease-finishes.service.js';
import { LeaseUsageRepository } from './leases/lease-usage.repository.js';
import { LeasesRepository } from './leases/leases.repository.js';
import { PickUpsRepository } from './leases/pick-ups.repository.js';
import { PickUpsService } from './leases/pick-ups.service.js';
import { LinksController } from './links/links.controller.js';
import { LinksRepository } from './links/links.repository.js';
import { AgentWorkController } from './queue/agent-work.controller.js';
import { AgentWorkRepository } from './queue/agent-work.repository.js';
import { AgentWorkService } from './queue/agent-work.service.js';
import { PausingService } from './status/pausing.service.js';
import { StatusChangesService } from './status/status-changes.service.js';
import { TimelineController } from './timeline/timeline.controller.js';
import { TimelineRepository } from './timeline/timeline.repository.js';
import { WhyRepository } from './why/why.repository.js';
import { WhyService } from './why/why.service.js';

@Module({
  imports: [ProjectsModule],
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
    LinksRepository,
    PausingService,
    PickUpsRepository,
    PickUpsService,
    StatusChangesService,
    TimelineRepository,
    WhyRepository,
    WhyService,
  ],
  exports: [
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
