/** The kinds of authors of comments (contract §5.4). */
export const authorTypes = ['User', 'Agent', 'System'] as const;
export type AuthorType = (typeof authorTypes)[number];

/** A comment on an issue. The author's name stays as it was when the comment was written. */
export interface CommentRow {
  id: string;
  issueId: string;
  content: string;
  authorType: AuthorType;
  authorId: string | null;
  authorName: string;
  createdAt: Date;
  updatedAt: Date;
}
