import { statuses } from '../../work/issues/status/issue-status.js';
import { issueId, READS, taking, type ToolDefinition } from './tool-schemas.js';

/** The tools that read issues. */
export const readingTools = {
  my_issues: {
    title: 'List my issues',
    description:
      'Lists the issues that are assigned to you, the last changed first, without descriptions. Returns {issues, nextCursor}. ' +
      'Pass nextCursor as cursor for the next page. It takes no work: use platform__next_issue for that.',
    inputSchema: taking({
      status: {
        type: 'array',
        items: { type: 'string', enum: [...statuses] },
        uniqueItems: true,
        minItems: 1,
        description: 'Only issues in these statuses. All statuses by default.',
      },
      limit: { type: 'integer', minimum: 1, maximum: 1000, default: 50 },
      cursor: { type: 'string', description: 'nextCursor of the previous result.' },
    }),
    annotations: READS,
  },
  get_issue: {
    title: 'Read an issue',
    description:
      'Reads one issue with its description, its links (what blocks it, what it blocks) and its comments, oldest first. ' +
      'Returns {issue, comments, nextCommentsCursor}.',
    inputSchema: taking(
      {
        issueId,
        commentsCursor: { type: 'string', description: 'nextCommentsCursor of the previous result.' },
      },
      'issueId',
    ),
    annotations: READS,
  },
} satisfies Record<string, ToolDefinition>;
