import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { ProjectsModule } from '../projects/projects.module.js';
import { IssueLabelsService, NewIssueLabelsService } from './label-lookup-and-differences.service.js';
import { IssueLabel, Label } from './label.entity.js';
import { LabelRepository } from './label.repository.js';
import { LabelsController, LabelsOfProjectController } from './labels.controller.js';
import { LabelsService } from './labels.service.js';

/** Labels of projects, and which of them issues have (contract §5.8). */
@Module({
  imports: [TypeOrmModule.forFeature([IssueLabel, Label]), ProjectsModule],
  controllers: [LabelsController, LabelsOfProjectController],
  providers: [
    IssueLabelsService,
    LabelRepository,
    { provide: getRepositoryToken(Label), useExisting: LabelRepository },
    LabelsService,
    NewIssueLabelsService,
  ],
  exports: [getRepositoryToken(Label), IssueLabelsService, LabelsService, NewIssueLabelsService],
})
export class LabelsModule {}
