import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IssueRun } from './issue-run.entity.js';
import { IssueStatusModule } from '../issue-status/issue-status.module.js';
import { RunsController } from './runs.controller.js';
import { RunsRepository, RunsService } from './runs.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([IssueRun]), IssueStatusModule],
  controllers: [RunsController],
  providers: [RunsRepository, RunsService],
})
export class RunsModule {}
