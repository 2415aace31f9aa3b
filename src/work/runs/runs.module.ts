import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { AttachmentsModule } from '../attachments/attachments.module.js';
import { IssueStatusModule } from '../issue-status/issue-status.module.js';
import { IssueRun } from './issue-run.entity.js';
import { IssueRunRepository, RunsService } from './runs.service.js';
import { RunsController } from './runs.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([IssueRun]), AttachmentsModule, IssueStatusModule],
  controllers: [RunsController],
  providers: [
    IssueRunRepository,
    { provide: getRepositoryToken(IssueRun), useExisting: IssueRunRepository },
    RunsService,
  ],
})
export class RunsModule {}
