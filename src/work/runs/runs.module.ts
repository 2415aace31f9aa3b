import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { IssueRun } from './issue-run.entity.js';
import { IssuesModule } from '../issues/issues.module.js';
import { RunsController } from './runs.controller.js';
import { RunsRepository, RunsService } from './runs.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([IssueRun]), IssuesModule],
  controllers: [RunsController],
  providers: [RunsRepository, RunsService],
})
export class RunsModule {}
