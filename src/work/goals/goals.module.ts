import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { GoalsOfProjectController } from './goals-of-project.controller.js';
import { GoalsController } from './goals.controller.js';
import { GoalsRepository } from './goals.repository.js';
import { GoalsService } from './goals.service.js';

@Module({
  imports: [ProjectsModule],
  controllers: [GoalsController, GoalsOfProjectController],
  providers: [GoalsRepository, GoalsService],
  exports: [GoalsService],
})
export class GoalsModule {}
