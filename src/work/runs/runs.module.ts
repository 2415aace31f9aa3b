import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { AttachmentsModule } from '../attachments/attachments.module.js';
import { IssueStatusModule } from '../issue-status/issue-status.module.js';
import { IssueRun } from './issue-run.entity.js';
import { IssueRunRepository } from './issue-run.repository.js';
import { RunsController } from './runs.controller.js';
import { RunsService } from './runs.service.js';

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
