import { Module } from '@nestjs/common';
import { IssueStatusModule } from '../issue-status/issue-status.module.js';
import { IssuesModule } from '../issues/issues.module.js';
import { LabelsModule } from '../labels/labels.module.js';
import { LinksModule } from '../links/links.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { PlanPartsService, PlanTreeRepository } from './plan-parts.service.js';
import { PlansController } from './plans.controller.js';
import { PlansService } from './plans.service.js';

/** Plans: many issues and their links in one request (contract §5.10). */
@Module({
  imports: [IssueStatusModule, IssuesModule, LabelsModule, LinksModule, ProjectsModule],
  controllers: [PlansController],
  providers: [PlanPartsService, PlanTreeRepository, PlansService],
  exports: [PlansService],
})
export class PlansModule {}
