import type { UsagePeriod } from '../../../agents/usage/usage-figures.js';
import type { GateKind } from '../status/gate-state.js';
import type { Status } from '../status/issue-status.js';

/** A person or an agent that has to act. */
export interface Party {
  type: 'user' | 'agent';
  id: string;
  name: string;
}

/** An unresolved issue that blocks another one. */
export interface Blocker {
  id: string;
  key: string;
  title: string;
  status: Status;
}

/** A blocker that is not itself blocked, so that work on it can go on, with its assignee. */
export interface RootBlocker extends Blocker {
  assignee: Party | null;
  /** The responsible person, also where an agent is the assignee. */
  person: Party | null;
  paused: boolean;
}

/** A budget that was reached in its present period and not raised since (contract §7.8). */
export interface StoppedBudget {
  scope: 'agent' | 'project';
  period: UsagePeriod;
  /** Whether its gate still waits for an answer. */
  asked: boolean;
}

/** A decision or answer of a person that is missing. */
export interface OpenGate {
  id: string;
  kind: GateKind;
  title: string;
}

/** The facts behind an explanation, read in one snapshot by the database's clock. */
export interface IssueFacts {
  status: Status;
  paused: boolean;
  attempts: number;
  agent: AgentFacts | null;
  person: Party | null;
  lease: { live: boolean; expiresAt: Date } | null;
  /** Its agent gave the issue back, or released it, and does not get it again until then. */
  heldOffUntil: Date | null;
  /** How often in a row its agent released it; 0 where it gave it back. */
  releases: number;
  /** Whether its work is finished, so that it goes to a review once it waits no more. */
  handedIn: boolean;
  halted: boolean;
  haltReason: string | null;
  /** That of the agent or of the project. The budget of an issue stops it by a gate. */
  budget: StoppedBudget | null;
  /** Those that hold the issue up: at most 20, oldest first. */
  gates: OpenGate[];
  /** At most 1,000, oldest first; empty unless the issue waits. */
  blockedBy: Blocker[];
  /** Whether `blockedBy` leaves some out. */
  moreBlockers?: boolean;
  /** At most 100, oldest first; empty where only the direct blockers were read. */
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
  /** Why a worker of it takes no more work; null when none reports that. */
  failure: string | null;
  lastHeartbeatAt: Date | null;
  /** Its last heartbeat is older than a lease lasts. */
  silent: boolean;
}
