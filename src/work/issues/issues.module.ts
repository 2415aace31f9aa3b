import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { LeaseFinish } from '../leases/lease-finish.entity.js';
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
import { IssueStatusModule } from '../issue-status/issue-status.module.js';
import { HeldLeasesRepository } from '../leases/held-lease.repository.js';
import { LeaseCheckService } from '../leases/lease-check.service.js';
import { LeaseFinishRepository, LeaseFinishesService } from '../leases/lease-finishes.service.js';
import { IssueLeasesService } from '../leases/leases.service.js';
import { PickUpsRepository } from '../leases/pick-up.repository.js';
import { PickUpsService } from '../leases/pick-ups.service.js';
import { LinksModule } from '../links/links.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { IssueCreationService } from './issue-creation.service.js';
import { IssuePeopleRepository, IssuePeopleService } from './issue-people.service.js';
import { IssueUpdateService } from './issue-update.service.js';
import { IssuesOfProjectController } from './issues-of-project.controller.js';
import { IssuesController } from './issues.controller.js';
import { IssueDeletionService, IssuesService, PausingService } from './issues.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([LeaseFinish]), IssueStatusModule, LinksModule, ProjectsModule],
  controllers: [
    AgentWorkController,
    ExplainController,
    GraphController,
    IssueCountsController,
    IssuesController,
    IssuesOfProjectController,
    TimelineController,
  ],
  providers: [
    AgentWorkRepository,
    AgentWorkService,
    ExplainRepository,
    ExplainService,
    GraphRepository,
    GraphService,
    HeldLeasesRepository,
    IssueCountsRepository,
    IssueCreationService,
    IssueDeletionService,
    IssueLeasesService,
    IssueListRepository,
    IssueListsService,
    IssuePeopleRepository,
    IssuePeopleService,
    IssueUpdateService,
    IssuesService,
    LeaseCheckService,
    LeaseFinishRepository,
    { provide: getRepositoryToken(LeaseFinish), useExisting: LeaseFinishRepository },
    LeaseFinishesService,
    PausingService,
    PickUpsRepository,
    PickUpsService,
    TimelineRepository,
    WhyRepository,
    WhyService,
  ],
  exports: [
    HeldLeasesRepository,
    IssueCreationService,
    IssueDeletionService,
    IssueLeasesService,
    IssueListsService,
    IssueUpdateService,
    LeaseFinishesService,
    LeaseCheckService,
    PickUpsService,
    WhyService,
  ],
})
export class IssuesModule {}
