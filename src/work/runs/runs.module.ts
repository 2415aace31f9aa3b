import { Module } from '@nestjs/common';
import { IssuesModule } from '../issues/issues.module.js';
import { RunsController } from './runs.controller.js';
import { RunsRepository, RunsService } from './runs.service.js';

@Module({
  imports: [IssuesModule],
  controllers: [RunsController],
  providers: [RunsRepository, RunsService],
})
export class RunsModule {}
