import { Module } from '@nestjs/common';
import { ProjectsModule } from '../projects/projects.module.js';
import { GoalsRepository } from './goal.repository.js';
import { GoalsController, GoalsOfProjectController } from './goals.controller.js';
import { GoalsService } from './goals.service.js';

@Module({
  imports: [ProjectsModule],
  controllers: [GoalsController, GoalsOfProjectController],
  providers: [GoalsRepository, GoalsService],
  exports: [GoalsService],
})
export class GoalsModule {}
