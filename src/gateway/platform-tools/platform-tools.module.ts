import { Module } from '@nestjs/common';
import { AttachmentsModule } from '../../work/attachments/attachments.module.js';
import { CodeModule } from '../../work/code/code.module.js';
import { CommentsModule } from '../../work/comments/comments.module.js';
import { GatesModule } from '../../work/gates/gates.module.js';
import { GoalsModule } from '../../work/goals/goals.module.js';
import { IssueStatusModule } from '../../work/issue-status/issue-status.module.js';
import { LeasesModule } from '../../work/leases/leases.module.js';
import { IssueReadingModule } from '../../work/issue-reading/issue-reading.module.js';
import { IssuesModule } from '../../work/issues/issues.module.js';
import { LinksModule } from '../../work/links/links.module.js';
import { PlansModule } from '../../work/plans/plans.module.js';
import { ProjectsModule } from '../../work/projects/projects.module.js';
import { CallsModule } from '../calls/calls.module.js';
import { HeartbeatModule } from '../heartbeat/heartbeat.module.js';
import {
  CommentsAndLinksService,
  IssueFilesService,
  IssueReadingService,
  IssueWritingService,
} from './issue-calls.service.js';
import { IssuePagesService } from './result-pages.service.js';
import {
  CallingHolderService,
  LeaseArgumentsService,
  PlatformCallsService,
} from './platform-calls-and-callers.service.js';
import { AskingPeopleService, TakingWorkService } from './next-issue-heartbeat-questions.service.js';

/** The platform's own tools. */
@Module({
  imports: [
    AttachmentsModule,
    CallsModule,
    CodeModule,
    CommentsModule,
    GatesModule,
    GoalsModule,
    HeartbeatModule,
    IssueStatusModule,
    LeasesModule,
    IssueReadingModule,
    IssuesModule,
    LinksModule,
    PlansModule,
    ProjectsModule,
  ],
  providers: [
    AskingPeopleService,
    CallingHolderService,
    CommentsAndLinksService,
    IssueFilesService,
    IssuePagesService,
    IssueReadingService,
    IssueWritingService,
    LeaseArgumentsService,
    PlatformCallsService,
    TakingWorkService,
  ],
  exports: [PlatformCallsService],
})
export class PlatformToolsModule {}
