import { Module } from '@nestjs/common';
import { ProjectsModule } from '../../work/projects/projects.module.js';
import { AttentionController } from './attention.controller.js';
import { AttentionRepository } from './attention.repository.js';
import { AttentionService } from './attention.service.js';

@Module({
  imports: [ProjectsModule],
  controllers: [AttentionController],
  providers: [AttentionRepository, AttentionService],
})
export class AttentionModule {}
