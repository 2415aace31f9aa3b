import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { IssueStatusModule } from '../issue-status/issue-status.module.js';
import { IssuesModule } from '../issues/issues.module.js';
import { PlansModule } from '../plans/plans.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { DueSchedulesWorker } from './one-issue-per-due-time.worker.js';
import { Schedule, ScheduleRun } from './schedule.entity.js';
import { ScheduleRepository } from './schedule.repository.js';
import { ScheduledIssuesService } from './schedule-templates-and-editor-rights.service.js';
import { SchedulesController, SchedulesOfProjectController } from './schedules.controller.js';
import { SchedulesService } from './schedules.service.js';

/** Schedules: issues that are created at times (contract §5.11). */
@Module({
  imports: [
    TypeOrmModule.forFeature([Schedule, ScheduleRun]),
    IssueStatusModule,
    IssuesModule,
    PlansModule,
    ProjectsModule,
  ],
  controllers: [SchedulesController, SchedulesOfProjectController],
  providers: [
    DueSchedulesWorker,
    ScheduleRepository,
    { provide: getRepositoryToken(Schedule), useExisting: ScheduleRepository },
    ScheduledIssuesService,
    SchedulesService,
  ],
  exports: [SchedulesService],
})
export class SchedulesModule {}
