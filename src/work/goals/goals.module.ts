import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { Goal } from './goal.entity.js';
import { ProjectsModule } from '../projects/projects.module.js';
import { GoalsRepository } from './goal.repository.js';
import { GoalsController, GoalsOfProjectController } from './goals.controller.js';
import { GoalsService } from './goals.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Goal]), ProjectsModule],
  controllers: [GoalsController, GoalsOfProjectController],
  providers: [GoalsRepository, GoalsService],
  exports: [TypeOrmModule, GoalsService],
})
export class GoalsModule {}
