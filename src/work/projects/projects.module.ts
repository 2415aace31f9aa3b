import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { DeletedIssue, DeletedProject, Project, ProjectMember } from './project.entity.js';
import {
  GraphLockRepository,
  ProjectMemberRepository,
  ProjectRepository,
} from './projects-members-and-graph-lock.repository.js';
import { MembersController, PeopleController, ProjectsController } from './projects.controller.js';
import { MembersService } from './members.service.js';
import { ProjectsService, ReplayRightsService, SeenProjectsProvider } from './projects.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([DeletedIssue, DeletedProject, Project, ProjectMember])],
  controllers: [ProjectsController, MembersController, PeopleController],
  providers: [
    GraphLockRepository,
    MembersService,
    ProjectMemberRepository,
    ProjectRepository,
    ProjectsService,
    ReplayRightsService,
    SeenProjectsProvider,
    { provide: getRepositoryToken(Project), useExisting: ProjectRepository },
    { provide: getRepositoryToken(ProjectMember), useExisting: ProjectMemberRepository },
  ],
  exports: [
    TypeOrmModule,
    getRepositoryToken(Project),
    getRepositoryToken(ProjectMember),
    GraphLockRepository,
    ProjectsService,
  ],
})
export class ProjectsModule {}
