import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProjectsModule } from '../projects/projects.module.js';
import { GoalEntity } from './goal.entity.js';
import { GoalsOfProjectController } from './goals-of-project.controller.js';
import { GoalsController } from './goals.controller.js';
import { GoalsRepository } from './goals.repository.js';
import { GoalsService } from './goals.service.js';

@Module({
  imports: [ProjectsModule, TypeOrmModule.forFeature([GoalEntity])],
  controllers: [GoalsController, GoalsOfProjectController],
  providers: [GoalsRepository, GoalsService],
})
export class GoalsModule {}
