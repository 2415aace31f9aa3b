import { Module } from '@nestjs/common';
import { IssueReadingModule } from '../issue-reading/issue-reading.module.js';
import { IssueStatusModule } from '../issue-status/issue-status.module.js';
import { LabelsModule } from '../labels/labels.module.js';
import { LeasesModule } from '../leases/leases.module.js';
import { LinksModule } from '../links/links.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { IssueCreationService } from './issue-creation.service.js';
import { IssueDeletionService, IssuesService } from './issue-pausing-closing-deletion.service.js';
import { IssueParentsService, IssueTreeRepository } from './issue-parents.service.js';
import { IssuePeopleRepository, IssuePeopleService } from './issue-people.service.js';
import { IssueUpdateService } from './issue-update-version-and-event.service.js';
import { IssuesController, IssuesOfProjectController } from './issues.controller.js';

/** Issues: created, changed, paused and deleted (contract §5). */
@Module({
  imports: [IssueReadingModule, IssueStatusModule, LabelsModule, LeasesModule, LinksModule, ProjectsModule],
  controllers: [IssuesController, IssuesOfProjectController],
  providers: [
    IssueCreationService,
    IssueDeletionService,
    IssueParentsService,
    IssuePeopleRepository,
    IssuePeopleService,
    IssueTreeRepository,
    IssueUpdateService,
    IssuesService,
  ],
  exports: [
    IssueCreationService,
    IssueDeletionService,
    IssueParentsService,
    IssuePeopleService,
    IssuesService,
    IssueUpdateService,
  ],
})
export class IssuesModule {}
