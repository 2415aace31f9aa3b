import { Module } from '@nestjs/common';
import { IssuesModule } from '../issues/issues.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { CommentsRepository } from './comment.repository.js';
import { CommentsController } from './comments.controller.js';
import { CommentsService } from './comments.service.js';

@Module({
  imports: [IssuesModule, QuotasModule],
  controllers: [CommentsController],
  providers: [CommentsRepository, CommentsService],
  exports: [CommentsService],
})
export class CommentsModule {}
