import { issueSorts } from '../../work/issue-reading/issue-filter-and-order.js';
import { linkTypes } from '../../work/issue-status/issue-row-and-references.js';
import { statuses } from '../../work/issue-status/issue-status.js';
import {
  cursor,
  issueId,
  labels,
  leaseToken,
  orNull,
  priority,
  READS,
  taking,
  title,
  type ToolDefinition,
  WRITES,
} from './agent-tool.js';

const holdsParent = {
  type: 'boolean',
  description: 'Whether the parent waits until this issue is finished.',
};

/** What a new issue may have. */
const planned = {
  description: orNull('The brief for the assignee: goal, context, and when the work is done.'),
  assignedAgentId: orNull('Id of the agent that will work on it. Without it, no agent picks up the issue.'),
  assigneeUserId: orNull('Id of the person who is responsible for it.'),
  goalId: orNull('Id of a goal of the same project.'),
};

/** The tools that create and change issues and comments. */
export const writingTools = {
  create_issue: {
    title: 'Create an issue',
    description:
      'Creates an issue, for instance for work that you found and should not do now. It starts Open, or WaitingOnDependency when ' +
      'blockedByIssueId names an issue that is not finished. With parentId it is a part of an issue of yours, which then waits until it ' +
      'is finished, ends your lease of that one and comes back to you; holdsParent: false lets you go on. Returns {issue}.',
    inputSchema: taking(
      {
        projectId: {
          type: 'string',
          description: 'Id or key of the project. An issue that you have contains its projectId.',
        },
        title,
        ...planned,
        blockedByIssueId: orNull('Id or key of the issue that has to be finished first.'),
        parentId: orNull('Id or key of the issue of the same project that this one is a part of.'),
        holdsParent: { ...holdsParent, default: true },
        priority: { ...priority, default: 'none' },
        labels,
      },
      'projectId',
      'title',
    ),
    annotations: WRITES,
  },
  plan_issues: {
    title: 'Create a plan of issues',
    description:
      'Creates up to 500 issues and what blocks what in one call: all or none. Use it first when you split work. Give each issue a ' +
      'ref of your own and name refs, or ids or keys of issues that exist, in blockedBy and parent. An issue waits until its blockers ' +
      'and parts are finished; a parent of yours then comes back to you. Returns {issues, more}: {ref, id, key, status} of each in your order; more is how many do not fit, whose keys go on. ' +
      'With dryRun nothing is stored and you get {issues, order, critical}: an order of the work and its longest chain. An error names ' +
      'the place, such as issues[3].blockedBy[0].',
    inputSchema: taking(
      {
        projectId: {
          type: 'string',
          description: 'Id or key of the project. An issue that you have contains its projectId.',
        },
        issues: {
          type: 'array',
          minItems: 1,
          maxItems: 500,
          items: taking(
            {
              ref: {
                type: 'string',
                minLength: 1,
                maxLength: 64,
                description: 'Your own name for the issue, unique in this plan.',
              },
              title,
              ...planned,
              blockedBy: {
                type: 'array',
                items: { type: 'string' },
                description: 'What has to be finished first: refs of this plan, or ids or keys of issues.',
              },
              parent: {
                type: 'string',
                description:
                  'What it is a part of: a ref of this plan, or the id or key of an issue of yours.',
              },
              holdsParent: { ...holdsParent, default: true },
              priority: { ...priority, default: 'none' },
              labels,
            },
            'ref',
            'title',
          ),
        },
        dryRun: { type: 'boolean', default: false, description: 'Checks the plan and stores nothing.' },
      },
      'projectId',
      'issues',
    ),
    annotations: WRITES,
  },
  update_issue: {
    title: 'Change an issue',
    description:
      'Changes an issue that is assigned to you. Fields that you omit keep their value. Set status to Resolved when the work is ' +
      'done, to PendingReview when a person has to look at it, to Open to give it back. While you hold its lease, leaseToken is ' +
      'required; without it the error is lease_token_required. Returns {issue}. An error with code lease_lost means that your ' +
      'lease has ended, for the reason that it names: stop working on the issue.',
    inputSchema: taking(
      {
        issueId,
        leaseToken,
        title,
        description: orNull('The whole new description.'),
        status: {
          type: 'string',
          enum: [...statuses],
          description: 'You may set Resolved, PendingReview or Open.',
        },
        priority,
        labels,
        goalId: orNull('Id of a goal of the same project; null removes it.'),
        parentId: orNull('Id or key of the issue that this one is a part of; null puts it on the top level.'),
        holdsParent,
        version: {
          type: 'integer',
          description: 'The version that you read. The change is rejected if the issue has changed since.',
        },
      },
      'issueId',
    ),
    annotations: { ...WRITES, idempotentHint: true },
  },
  add_comment: {
    title: 'Comment on an issue',
    description:
      'Writes a comment on an issue: progress, results, a question to the people who follow it. Returns {comment}. ' +
      'Say what you did before you resolve an issue.',
    inputSchema: taking(
      { issueId, content: { type: 'string', minLength: 1, description: 'Text, at most 64 KiB.' } },
      'issueId',
      'content',
    ),
    annotations: WRITES,
  },
} satisfies Record<string, ToolDefinition>;

/** The tools that make and remove links between issues. */
export const linkTools = {
  link_issues: {
    title: 'Link two issues',
    description:
      'Links two issues. With BlockedBy, issueId waits until targetIssueId is finished. Blocks is the reverse. ' +
      'A blocked issue that is not finished waits at once. Returns {link}.',
    inputSchema: taking(
      {
        issueId,
        targetIssueId: { type: 'string', description: 'Id or key of the other issue.' },
        linkType: { type: 'string', enum: [...linkTypes] },
      },
      'issueId',
      'targetIssueId',
      'linkType',
    ),
    annotations: WRITES,
  },
  unlink_issues: {
    title: 'Remove a link',
    description:
      'Removes a link of an issue. An issue that waits only for the other end of the link is Open again. Returns {linkId}. ' +
      'platform__get_issue lists the links of an issue with their ids.',
    inputSchema: taking(
      { issueId, linkId: { type: 'string', description: 'Id of the link, as links of the issue names it.' } },
      'issueId',
      'linkId',
    ),
    annotations: { ...WRITES, destructiveHint: true },
  },
} satisfies Record<string, ToolDefinition>;

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
      parentId: {
        type: 'string',
        description: 'Id of an issue: its parts. "none" for issues that are part of no other.',
      },
      priority,
      labels: {
        type: 'array',
        items: { type: 'string' },
        maxItems: 20,
        description:
          'Names or ids of labels: issues that have all of them. ["none"] for issues without labels.',
      },
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
