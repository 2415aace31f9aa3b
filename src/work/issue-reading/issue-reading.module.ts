import { Module } from '@nestjs/common';
import { IssueStatusModule } from '../issue-status/issue-status.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import {
  AgentWorkRepository,
  AgentWorkService,
  IssueListRepository,
  IssueListsService,
} from './issue-lists-and-agent-work.service.js';
import { GraphRepository, GraphService } from './graph.service.js';
import { IssueCountsRepository } from './issue-groups-and-counts.repository.js';
import {
  AgentWorkController,
  ExplainController,
  GraphController,
  IssueCountsController,
  IssueGroupsController,
  ProjectCountsController,
  TimelineController,
} from './issue-reading.controller.js';
import { TimelineRepository } from './timeline.repository.js';
import { ExplainRepository, ExplainService, WhyRepository, WhyService } from './explain-and-why.service.js';

/** What callers read of issues: lists, reasons, graphs, counts and timelines. */
@Module({
  imports: [IssueStatusModule, ProjectsModule],
  controllers: [
    AgentWorkController,
    ExplainController,
    GraphController,
    IssueCountsController,
    IssueGroupsController,
    ProjectCountsController,
    TimelineController,
  ],
  providers: [
    AgentWorkRepository,
    AgentWorkService,
    ExplainRepository,
    ExplainService,
    GraphRepository,
    GraphService,
    IssueCountsRepository,
    IssueListRepository,
    IssueListsService,
    TimelineRepository,
    WhyRepository,
    WhyService,
  ],
  exports: [IssueListsService, WhyService],
})
export class IssueReadingModule {}
