import { linkTypes } from '../../work/issues/issue-row.js';
import { priorities } from '../../work/issues/priority.js';
import { statuses } from '../../work/issues/issue-status.js';
import type { AgentTool } from './agent-tools.js';

/** What the names of the platform's own tools begin with; no server's slug can be `platform` (spec §3.3). */
export const PLATFORM_PREFIX = 'platform__';

export const platformToolNames = [
  'next_issue',
  'heartbeat',
  'my_issues',
  'get_issue',
  'create_issue',
  'update_issue',
  'add_comment',
  'link_issues',
] as const;
export type PlatformToolName = (typeof platformToolNames)[number];

type Definition = Pick<AgentTool, 'title' | 'inputSchema' | 'annotations'> & { description: string };

const issueId = { type: 'string', description: 'Id of the issue, or its key such as "DOCS-12".' };
const title = { type: 'string', minLength: 1, maxLength: 500, description: 'Short, imperative.' };
const priority = { type: 'string', enum: [...priorities] };
const leaseToken = { type: 'integer', minimum: 0, description: 'The leaseToken that platform__next_issue gave with the issue.' };
const orNull = (description: string) => ({ type: ['string', 'null'], description });

const reads = { readOnlyHint: true, openWorldHint: false };
const writes = { readOnlyHint: false, destructiveHint: false, openWorldHint: false };

const taking = (properties: Record<string, unknown>, ...required: string[]) => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/**
 * The tools with which an agent that has nothing but MCP can work (spec §7). The descriptions are written for
 * a model; the rules themselves are those of the HTTP routes, and the same services keep them.
 */
const definitions: Record<PlatformToolName, Definition> = {
  next_issue: {
    title: 'Take the next issue',
    description:
      'Takes the next issue that is assigned to you and ready to be worked on. Answers {issue, comments, leaseToken, leaseExpiresAt}; ' +
      'issue is null when there is nothing to do now: ask again after nextHeartbeatSeconds. The issue is yours while its lease lives: ' +
      'keep leaseToken, renew the lease with platform__heartbeat before it expires, and pass it to platform__update_issue. ' +
      'Finish with platform__update_issue and status Resolved (done) or PendingReview (a person has to look at it).',
    inputSchema: taking({}),
    annotations: writes,
  },
  heartbeat: {
    title: 'Report and renew leases',
    description:
      'Renews the leases of the issues that you work on; call it at least every nextHeartbeatSeconds while you work. Answers ' +
      '{pickedUp, active, stop, nextHeartbeatSeconds}: active are the leases that were renewed, with newComments that people wrote ' +
      'meanwhile (read them: they may change your task); stop names issues that you must stop working on at once, with the reason.',
    inputSchema: taking({
      leases: {
        type: 'array',
        maxItems: 1000,
        description: 'What you hold: the issues that you took, each with its leaseToken.',
        items: taking({ issueId, token: leaseToken }, 'issueId', 'token'),
      },
      capacity: {
        type: 'integer',
        minimum: 0,
        maximum: 1000,
        default: 0,
        description: 'How many more issues to take now; they come in pickedUp, each with its lease.token. 0 only renews.',
      },
    }),
    annotations: { ...writes, idempotentHint: true },
  },
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
    annotations: reads,
  },
  get_issue: {
    title: 'Read an issue',
    description:
      'Reads one issue with its description, its links (what blocks it, what it blocks) and its comments, oldest first. ' +
      'Answers {issue, comments, nextCommentsCursor}.',
    inputSchema: taking({ issueId, commentsCursor: { type: 'string', description: 'nextCommentsCursor of the answer before.' } }, 'issueId'),
    annotations: reads,
  },
  create_issue: {
    title: 'Create an issue',
    description:
      'Creates an issue, for instance for work that you found and should not do now. It starts Open, or WaitingOnDependency when ' +
      'blockedByIssueId names an issue that is not finished. Answers {issue}.',
    inputSchema: taking(
      {
        projectId: { type: 'string', description: 'Id or key of the project; an issue that you have tells its projectId.' },
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
    annotations: writes,
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
        status: { type: 'string', enum: [...statuses], description: 'You may set Resolved, PendingReview or Open.' },
        priority,
        goalId: orNull('Id of a goal of the same project; null takes it off.'),
        version: { type: 'integer', description: 'The version that your change is meant for; refused if the issue has changed since.' },
      },
      'issueId',
    ),
    annotations: { ...writes, idempotentHint: true },
  },
  add_comment: {
    title: 'Comment on an issue',
    description:
      'Writes a comment on an issue: progress, results, a question to the people who follow it. Answers {comment}. ' +
      'Say what you did before you resolve an issue.',
    inputSchema: taking({ issueId, content: { type: 'string', minLength: 1, description: 'Text, at most 64 KiB.' } }, 'issueId', 'content'),
    annotations: writes,
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
    annotations: writes,
  },
};

/** The platform's own tools as every agent is told of them, in a fixed order. */
export const platformTools: readonly AgentTool[] = platformToolNames.map((toolName) => ({
  name: PLATFORM_PREFIX + toolName,
  serverId: null,
  serverName: null,
  toolName,
  ...definitions[toolName],
}));
