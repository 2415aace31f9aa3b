import { statuses } from '../../work/issues/issue-status.js';
import { issueId, READS, taking, type ToolDefinition } from './tool-schemas.js';

/** Reading issues. */
export const readingTools = {
  my_issues: {
    title: 'List my issues',
    description:
      'Lists the issues that are assigned to you, the last changed first, without descriptions. Answers {issues, nextCursor}; ' +
      'pass nextCursor as cursor to go on. Does not take any: use platform__next_issue for that.',
    inputSchema: taking({
      status: {
        type: 'array',
        items: { type: 'string', enum: [...statuses] },
        uniqueItems: true,
        minItems: 1,
        description: 'Only these statuses; left out: all.',
      },
      limit: { type: 'integer', minimum: 1, maximum: 1000, default: 50 },
      cursor: { type: 'string', description: 'nextCursor of the answer before.' },
    }),
    annotations: READS,
  },
  get_issue: {
    title: 'Read an issue',
    description:
      'Reads one issue with its description, its links (what blocks it, what it blocks) and its comments, oldest first. ' +
      'Answers {issue, comments, nextCommentsCursor}.',
    inputSchema: taking(
      {
        issueId,
        commentsCursor: { type: 'string', description: 'nextCommentsCursor of the answer before.' },
      },
      'issueId',
    ),
    annotations: READS,
  },
} satisfies Record<string, ToolDefinition>;
