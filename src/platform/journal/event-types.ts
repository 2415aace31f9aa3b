/**
 * All event types (contract §8). The journal, the timeline of an issue, the event stream, webhooks and the audit use the
 * same ones.
 */
export const eventTypes = [
  'issue.created',
  'issue.updated',
  'issue.status_changed',
  'issue.picked_up',
  'issue.lease_lost',
  'issue.paused',
  'issue.resumed',
  'issue.deleted',
  'issue.child_added',
  'issue.child_removed',
  'issue.tools_called',
  'comment.created',
  'comment.updated',
  'comment.deleted',
  'attachment.created',
  'attachment.deleted',
  'attachment.replaced',
  'link.created',
  'link.deleted',
  'gate.opened',
  'gate.answered',
  'gate.expired',
  'gate.withdrawn',
  'gate.executed',
  'code.linked',
  'code.updated',
  'code.unlinked',
  'goal.created',
  'goal.updated',
  'goal.deleted',
  'label.created',
  'label.updated',
  'label.deleted',
  'import.started',
  'import.completed',
  'import.failed',
  'code.hook_set',
  'code.hook_deleted',
  'schedule.created',
  'schedule.updated',
  'schedule.deleted',
  'schedule.ran',
  'schedule.skipped',
  'schedule.failed',
  'project.created',
  'project.updated',
  'project.deleted',
  'project.members_changed',
  'agent.created',
  'agent.updated',
  'agent.deleted',
  'agent.halted',
  'agent.unhalted',
  'budget.set',
  'budget.deleted',
  'user.created',
  'user.updated',
  'user.disabled',
  'user.enabled',
  'user.password_changed',
  'user.role_kept',
  'user.identity_set',
  'user.identity_removed',
  'key.created',
  'key.expiring',
  'key.deleted',
  'login.succeeded',
  'login.failed',
  'login.ended',
  'login.confirmed',
  'access.refused',
  'journal.pruned',
  'webhook.created',
  'webhook.updated',
  'webhook.secret_rotated',
  'webhook.deleted',
  'mcp.catalog.imported',
  'mcp.server.installed',
  'mcp.server.updated',
  'mcp.server.verified',
  'mcp.server.enabled',
  'mcp.server.disabled',
  'mcp.server.failed',
  'mcp.server.upgraded',
  'mcp.server.deleted',
  'mcp.credentials.created',
  'mcp.credentials.updated',
  'mcp.credentials.revoked',
  'mcp.credentials.failed',
  'mcp.credentials.sign_in_needed',
  'mcp.credentials.deleted',
  'mcp.credentials.signed_in',
  'mcp.credentials.sign_in_failed',
  'mcp.tool.approved',
  'mcp.tool.changed',
  'mcp.tool.called',
  'mcp.access.changed',
  'mcp.profile.created',
  'mcp.profile.updated',
  'mcp.profile.deleted',
] as const;

export type EventType = (typeof eventTypes)[number];

/** The families of types. `login.*` stands for every type that begins with `login.`. */
export const eventFamilies = [
  ...new Set(eventTypes.map((type) => `${type.slice(0, type.lastIndexOf('.'))}.*`)),
];

/** What a webhook can be limited to: one type, or all types of a family (`issue.*`). */
export const typesAndFamilies: string[] = [...eventTypes, ...eventFamilies];

/**
 * Splits and expands a list of types in a query. A parameter that is given twice stays a list within the list, which
 * then fails validation.
 */
export const toEventTypes = ({ value }: { value: unknown }) => {
  if (typeof value !== 'string') return value === undefined ? undefined : [value];
  return value.split(',').flatMap((name) => {
    const named = eventTypes.filter((type) => name.endsWith('.*') && type.startsWith(name.slice(0, -1)));
    return named.length > 0 ? named : [name];
  });
};
