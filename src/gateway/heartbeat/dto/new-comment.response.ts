import { ApiProperty } from '@nestjs/swagger';
import type { NewComment } from '../new-comments.repository.js';

export class NewCommentAuthorResponse {
  id!: string | null;
  /** @example "Ada Lovelace" */
  name!: string;
}

/** A comment of another author on an issue that the agent works on. */
export class NewCommentResponse {
  id!: string;
  issueId!: string;
  content!: string;
  @ApiProperty({ enum: ['User', 'Agent', 'System'], enumName: 'AuthorType' })
  authorType!: 'User' | 'Agent' | 'System';
  author!: NewCommentAuthorResponse;
  createdAt!: Date;
  updatedAt!: Date;

  static from({ authorId, authorName, ...comment }: NewComment): NewCommentResponse {
    return { ...comment, author: { id: authorId, name: authorName } };
  }
}
