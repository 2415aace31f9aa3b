import type { EventType } from '../../../platform/journal/event-types.js';

/** The event types that an issue's timeline shows (contract §5.2). */
export const timelineTypes = [
  'issue.created',
  'issue.updated',
  'issue.status_changed',
  'issue.picked_up',
  'issue.lease_lost',
  'issue.paused',
  'issue.resumed',
  'issue.tools_called',
  'comment.created',
  'comment.updated',
  'comment.deleted',
  'attachment.created',
  'attachment.deleted',
  'link.created',
  'link.deleted',
  'gate.opened',
  'gate.answered',
  'gate.expired',
  'gate.withdrawn',
  'gate.executed',
] as const satisfies readonly EventType[];
export type TimelineType = (typeof timelineTypes)[number];
