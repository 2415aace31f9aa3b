import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProjectMember } from './project-member.entity.js';
import { DeletedIssue, DeletedProject } from './deleted.entities.js';
import { Project } from './project.entity.js';
import { GraphLockRepository } from './graph-lock.repository.js';
import { MembersController } from './members.controller.js';
import { MembersService } from './members.service.js';
import { PeopleController } from './people.controller.js';
import { MembersRepository, PeopleRepository } from './project-member.repository.js';
import { ProjectsRepository } from './project.repository.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsService } from './projects.service.js';
import { ReplayRightsRepository, ReplayRightsService } from './replay-rights.service.js';
import { SeenProjectsProvider } from './seen-projects.provider.js';

@Module({
  imports: [TypeOrmModule.forFeature([DeletedIssue, DeletedProject, Project, ProjectMember])],
  controllers: [ProjectsController, MembersController, PeopleController],
  providers: [
    GraphLockRepository,
    MembersRepository,
    MembersService,
    PeopleRepository,
    ProjectsRepository,
    ProjectsService,
    ReplayRightsRepository,
    ReplayRightsService,
    SeenProjectsProvider,
  ],
  exports: [TypeOrmModule, GraphLockRepository, ProjectsService],
})
export class ProjectsModule {}
