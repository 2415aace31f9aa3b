import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { ProjectsModule } from '../projects/projects.module.js';
import { Goal } from './goal.entity.js';
import { GoalRepository, GoalsService } from './goals.service.js';
import { GoalsController, GoalsOfProjectController } from './goals.controller.js';

@Module({
  imports: [TypeOrmModule.forFeature([Goal]), ProjectsModule],
  controllers: [GoalsController, GoalsOfProjectController],
  providers: [
    GoalRepository,
    { provide: getRepositoryToken(Goal), useExisting: GoalRepository },
    GoalsService,
  ],
  exports: [getRepositoryToken(Goal), GoalsService],
})
export class GoalsModule {}
