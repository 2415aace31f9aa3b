import { linkTypes } from '../../work/issues/issue-row.js';
import { statuses } from '../../work/issues/issue-status.js';
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

/** Making and changing issues. */
export const writingTools = {
  create_issue: {
    title: 'Create an issue',
    description:
      'Creates an issue, for instance for work that you found and should not do now. It starts Open, or WaitingOnDependency when ' +
      'blockedByIssueId names an issue that is not finished. Answers {issue}.',
    inputSchema: taking(
      {
        projectId: {
          type: 'string',
          description: 'Id or key of the project; an issue that you have tells its projectId.',
        },
        title,
        description: orNull('The brief for whoever works on it: goal, context, what done means.'),
        assignedAgentId: orNull('Id of the agent that shall do it; left out: nobody yet.'),
        assigneeUserId: orNull('Id of the person who answers for it.'),
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
      'Changes an issue that is assigned to you: what is left out stays. Set status to Resolved when the work is done, to ' +
      'PendingReview when a person has to look at it, to Open to give it back. While you hold its lease, leaseToken is required. ' +
      'Answers {issue}. An error with code lease_lost means that another worker has it now: stop working on it.',
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
        goalId: orNull('Id of a goal of the same project; null takes it off.'),
        version: {
          type: 'integer',
          description: 'The version that your change is meant for; refused if the issue has changed since.',
        },
      },
      'issueId',
    ),
    annotations: { ...WRITES, idempotentHint: true },
  },
  add_comment: {
    title: 'Comment on an issue',
    description:
      'Writes a comment on an issue: progress, results, a question to the people who follow it. Answers {comment}. ' +
      'Say what you did before you resolve an issue.',
    inputSchema: taking(
      { issueId, content: { type: 'string', minLength: 1, description: 'Text, at most 64 KiB.' } },
      'issueId',
      'content',
    ),
    annotations: WRITES,
  },
  link_issues: {
    title: 'Link two issues',
    description:
      'Links two issues. BlockedBy: issueId has to wait until targetIssueId is finished; Blocks is the other way round. ' +
      'Blocking an issue that is not finished makes it wait at once. Answers {link}.',
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
} satisfies Record<string, ToolDefinition>;
