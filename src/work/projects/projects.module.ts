import { Module } from '@nestjs/common';
import { GraphLockRepository } from './graph-lock.repository.js';
import { MembersController } from './members/members.controller.js';
import { MembersRepository } from './members/members.repository.js';
import { MembersService } from './members/members.service.js';
import { PeopleController } from './people/people.controller.js';
import { PeopleRepository } from './people/people.repository.js';
import { ProjectsController } from './projects.controller.js';
import { ProjectsRepository } from './projects.repository.js';
import { ProjectsService } from './projects.service.js';
import { ReplayRightsRepository } from './replay-rights.repository.js';
import { ReplayRightsService } from './replay-rights.service.js';
import { SeenProjectsProvider } from './seen-projects.provider.js';

@Module({
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
  exports: [GraphLockRepository, ProjectsService],
})
export class ProjectsModule {}
