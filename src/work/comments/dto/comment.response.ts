import { ApiProperty } from '@nestjs/swagger';
import { authorTypes, type AuthorType, type CommentEntity } from '../comment.entity.js';

/** Who wrote a comment, by the name of that time; a comment of the service itself has no id. */
export class CommentAuthorResponse {
  id!: string | null;
  /** @example "Ada Lovelace" */
  name!: string;
}

/** A comment on an issue. */
export class CommentResponse {
  /** @example "0199f0a0-7b1c-7c3e-9d55-3f1f6f1c9a07" */
  id!: string;
  issueId!: string;
  /** @example "The new importer is merged; please check the totals of March." */
  content!: string;
  @ApiProperty({ enum: authorTypes, enumName: 'AuthorType' })
  authorType!: AuthorType;
  author!: CommentAuthorResponse;
  createdAt!: Date;
  updatedAt!: Date;

  static from(row: CommentEntity): CommentResponse {
    const { id, issueId, content, authorType, authorId, authorName, createdAt, updatedAt } = row;
    const author = { id: authorId, name: authorName };
    return Object.assign(new CommentResponse(), {
      id,
      issueId,
      content,
      authorType,
      author,
      createdAt,
      updatedAt,
    });
  }
}
