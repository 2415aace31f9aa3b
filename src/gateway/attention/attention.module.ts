import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ProjectsModule } from '../../work/projects/projects.module.js';
import { AttentionController } from './attention.controller.js';
import { AttentionRepository, AttentionService } from './attention.service.js';
import { AttentionSnooze } from './attention-snooze.entity.js';
import { SnoozesService } from './snoozes.service.js';

@Module({
  imports: [ProjectsModule, TypeOrmModule.forFeature([AttentionSnooze])],
  controllers: [AttentionController],
  providers: [AttentionRepository, AttentionService, SnoozesService],
})
export class AttentionModule {}
