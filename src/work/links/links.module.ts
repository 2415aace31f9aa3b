import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { IssueStatusModule } from '../issue-status/issue-status.module.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { IssueLink } from './issue-link.entity.js';
import { IssueLinkRepository } from './issue-link.repository.js';
import { LinksController } from './links.controller.js';
import { IssueLinksService } from './links.service.js';
import { NewBlockersService } from './new-blockers.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([IssueLink]), IssueStatusModule, ProjectsModule],
  controllers: [LinksController],
  providers: [
    IssueLinkRepository,
    { provide: getRepositoryToken(IssueLink), useExisting: IssueLinkRepository },
    IssueLinksService,
    NewBlockersService,
  ],
  exports: [IssueLinkRepository, getRepositoryToken(IssueLink), IssueLinksService, NewBlockersService],
})
export class LinksModule {}
