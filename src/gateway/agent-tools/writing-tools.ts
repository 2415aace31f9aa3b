import { statuses } from '../../work/issues/status/issue-status.js';
import {
  issueId,
  leaseToken,
  orNull,
  priority,
  taking,
  title,
  WRITES,
  type ToolDefinition,
} from './tool-schemas.js';

/** The tools that create and change issues and comments. */
export const writingTools = {
  create_issue: {
    title: 'Create an issue',
    description:
      'Creates an issue, for instance for work that you found and should not do now. It starts Open, or WaitingOnDependency when ' +
      'blockedByIssueId names an issue that is not finished. Returns {issue}.',
    inputSchema: taking(
      {
        projectId: {
          type: 'string',
          description: 'Id or key of the project. An issue that you have contains its projectId.',
        },
        title,
        description: orNull('The brief for the assignee: goal, context, and when the work is done.'),
        assignedAgentId: orNull(
          'Id of the agent that will work on it. Without it, no agent picks up the issue.',
        ),
        assigneeUserId: orNull('Id of the person who is responsible for it.'),
        goalId: orNull('Id of a goal of the same project.'),
        blockedByIssueId: orNull('Id or key of the issue that has to be finished first.'),
        priority: { ...priority, default: 'none' },
      },
      'projectId',
      'title',
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
        goalId: orNull('Id of a goal of the same project; null removes it.'),
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
