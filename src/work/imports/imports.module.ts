import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AttachmentsModule } from '../attachments/attachments.module.js';
import { CodeModule } from '../code/code.module.js';
import { CommentsModule } from '../comments/comments.module.js';
import { GoalsModule } from '../goals/goals.module.js';
import { IssueStatusModule } from '../issue-status/issue-status.module.js';
import { IssuesModule } from '../issues/issues.module.js';
import { LabelsModule } from '../labels/labels.module.js';
import { LinksModule } from '../links/links.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { SchedulesModule } from '../schedules/schedules.module.js';
import { ImportAttachmentsService } from './import-attachments.service.js';
import { ImportIssuesService } from './import-issues.service.js';
import { ImportJobWorker } from './import-job.worker.js';
import { ImportLinksService } from './import-links.service.js';
import { ImportRepository } from './import.repository.js';
import { ImportSchedulesAndCodeService } from './import-schedules-and-code.service.js';
import { Import, ImportedObject } from './import.entity.js';
import { ExportController, ImportsController } from './imports.controller.js';
import { ImportsService } from './imports.service.js';
import { ProjectExportService } from './project-export.service.js';

/** Projects taken out as files and brought in again, also from other systems (contract §5.12). */
@Module({
  imports: [
    TypeOrmModule.forFeature([Import, ImportedObject]),
    AttachmentsModule,
    CodeModule,
    CommentsModule,
    GoalsModule,
    IssueStatusModule,
    IssuesModule,
    LabelsModule,
    LinksModule,
    ProjectsModule,
    SchedulesModule,
  ],
  controllers: [ExportController, ImportsController],
  providers: [
    ImportAttachmentsService,
    ImportIssuesService,
    ImportJobWorker,
    ImportLinksService,
    ImportRepository,
    ImportSchedulesAndCodeService,
    ImportsService,
    ProjectExportService,
  ],
})
export class ImportsModule {}
