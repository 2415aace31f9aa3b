import { Module } from '@nestjs/common';
import { getRepositoryToken, TypeOrmModule } from '@nestjs/typeorm';
import { IssueStatusModule } from '../issue-status/issue-status.module.js';
import { QuotasModule } from '../quotas/quotas.module.js';
import { Comment } from './comment.entity.js';
import { CommentRepository } from './comment.repository.js';
import { CommentsController } from './comments.controller.js';
import { CommentsService } from './comments.service.js';

@Module({
  imports: [TypeOrmModule.forFeature([Comment]), IssueStatusModule, QuotasModule],
  controllers: [CommentsController],
  providers: [
    CommentRepository,
    { provide: getRepositoryToken(Comment), useExisting: CommentRepository },
    CommentsService,
  ],
  exports: [getRepositoryToken(Comment), CommentsService],
})
export class CommentsModule {}
