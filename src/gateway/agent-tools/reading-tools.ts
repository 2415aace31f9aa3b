import { statuses } from '../../work/issues/status/issue-status.js';
import { issueSorts } from '../../work/issues/list/issue-sort.js';
import { cursor, issueId, priority, READS, taking, type ToolDefinition } from './tool-schemas.js';

const status = {
  type: 'array',
  items: { type: 'string', enum: [...statuses] },
  uniqueItems: true,
  minItems: 1,
  description: 'Only issues in these statuses. All statuses by default.',
};
const limit = { type: 'integer', minimum: 1, maximum: 1000, default: 50 };

/** The tools that read issues and goals. */
export const readingTools = {
  my_issues: {
    title: 'List my issues',
    description:
      'Lists the issues that are assigned to you, the last changed first, without descriptions. Returns {held, issues, nextCursor}. ' +
      'held has the leases that you hold, with their leaseToken. Pass nextCursor as cursor for the next page. It takes no work: use platform__next_issue for that.',
    inputSchema: taking({
      status,
      limit,
      cursor,
    }),
    annotations: READS,
  },
  list_issues: {
    title: 'List and search issues',
    description:
      'Lists the issues of a project, or of all projects that you see, the last changed first, without descriptions. q searches ' +
      'key, title and description; with a limit of at most 10 the best matches come first. Returns {issues, nextCursor}. Pass nextCursor as cursor for the next page. Search before you ' +
      'create an issue that may exist already.',
    inputSchema: taking({
      projectId: { type: 'string', description: 'Id or key of the project. All projects by default.' },
      q: {
        type: 'string',
        minLength: 1,
        description:
          'The key of an issue, or words that title and description contain, all of them; the last one may be a beginning.',
      },
      status,
      assigneeId: {
        type: 'string',
        description: 'Id of an agent or person; "me" for yourself, "none" for issues without assignee.',
      },
      goalId: { type: 'string', description: 'Id of a goal.' },
      priority,
      sort: { type: 'string', enum: [...issueSorts], default: '-updatedAt' },
      limit,
      cursor,
    }),
    annotations: READS,
  },
  get_goal: {
    title: 'Read a goal',
    description:
      'Reads the goal that issues of a project work towards, with its description. goalId of an issue names it. Returns {goal}.',
    inputSchema: taking({ goalId: { type: 'string', description: 'Id of the goal.' } }, 'goalId'),
    annotations: READS,
  },
  get_issue: {
    title: 'Read an issue',
    description:
      'Reads one issue with its description, its links (what blocks it, what it blocks), its newest files and its newest ' +
      'comments, oldest first. Returns {key, id, more, issue, comments, nextCommentsCursor, attachments}. A result has at most ' +
      '40,000 characters: more is null, or names what is left out. Pass descriptionOffset, commentsCursor (earlier comments) or ' +
      'linksOffset of more back to this tool to read on.',
    inputSchema: taking(
      {
        issueId,
        descriptionOffset: {
          type: 'integer',
          minimum: 0,
          description: 'more.descriptionOffset of a result.',
        },
        commentsCursor: { type: 'string', description: 'more.commentsCursor of a result.' },
        linksOffset: { type: 'integer', minimum: 0, description: 'more.linksOffset of a result.' },
      },
      'issueId',
    ),
    annotations: READS,
  },
} satisfies Record<string, ToolDefinition>;
