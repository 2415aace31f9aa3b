import type { Status } from '../issue-status.js';

/** Who has to act: a person or an agent. */
export interface Party {
  type: 'user' | 'agent';
  id: string;
  name: string;
}

/** An unresolved issue that holds up another one. */
export interface Blocker {
  id: string;
  key: string;
  title: string;
  status: Status;
}

/** One that waits for nothing itself, so that work on it can go on, and who has it. */
export interface RootBlocker extends Blocker {
  assignee: Party | null;
}

/** All that an explanation is made of, read at one moment; `now` is the database's. */
export interface IssueFacts {
  status: Status;
  paused: boolean;
  attempts: number;
  agent: AgentFacts | null;
  person: Party | null;
  lease: { live: boolean; expiresAt: Date } | null;
  /** Its agent gave it back and is held off until then. */
  heldOffUntil: Date | null;
  halted: boolean;
  haltReason: string | null;
  /** At most 1,000, oldest first; only of an issue that waits. */
  blockedBy: Blocker[];
  /** At most 100, oldest first. */
  rootBlockers: RootBlocker[];
}

export interface AgentFacts extends Party {
  type: 'agent';
  disabled: boolean;
  retired: boolean;
  seesProject: boolean;
  maxConcurrentIssues: number;
  /** Live leases, over all issues. */
  activeIssues: number;
  lastHeartbeatAt: Date | null;
  /** It was not heard of for longer than a lease lasts. */
  silent: boolean;
}
