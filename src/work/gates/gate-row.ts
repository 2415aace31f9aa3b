import type { GateKind, GateState } from '../issues/status/gate-state.js';
import type { Seen } from '../projects/not-found-or-refused.js';

/** What a person answered; the members depend on the kind of the gate. */
export type GateAnswer =
  | { option: string | null; text: string | null; fields: Record<string, unknown> | null }
  | { decision: 'approve' | 'deny'; scope: 'once' | 'issue'; note: string | null }
  | { decision: 'extend' | 'stop'; by: number | null };

/** A gate with what it shows from other rows, as `GATE_COLUMNS` reads it. */
export interface GateRow {
  id: string;
  kind: GateKind;
  state: GateState;
  projectId: string | null;
  projectKey: string | null;
  projectName: string | null;
  issueId: string | null;
  issueKey: string | null;
  issueTitle: string | null;
  agentId: string | null;
  agentName: string | null;
  /** Whether it holds its issue up. */
  holds: boolean;
  /** The least role in the project that may answer. */
  answerRole: 'Editor' | 'Admin';
  title: string;
  detail: string | null;
  options: string[];
  recommended: string | null;
  request: Record<string, unknown>;
  answer: GateAnswer | null;
  /** How the call that was approved ended; null before. */
  outcome: string | null;
  result: unknown;
  openedByType: 'user' | 'agent' | 'system';
  openedById: string | null;
  openedByName: string;
  closedByType: 'user' | 'agent' | 'system' | null;
  closedById: string | null;
  closedByName: string | null;
  createdAt: Date;
  expiresAt: Date | null;
  closedAt: Date | null;
}

/** A gate with the caller's rank in its project, or in general where it has none. */
export type SeenGate = GateRow & Seen;

/** How much waits for a gate. */
export interface GateBlocks {
  issues: number;
  agents: number;
}

export const GATE_TABLES = `
  gates g
  LEFT JOIN projects p ON p.id = g.project_id
  LEFT JOIN issues i ON i.id = g.issue_id
  LEFT JOIN agents agent ON agent.id = g.agent_id`;

export const GATE_COLUMNS = `
  g.id, g.kind, g.state, g.project_id AS "projectId", p.key AS "projectKey", p.name AS "projectName",
  g.issue_id AS "issueId", p.key || '-' || i.number AS "issueKey", i.title AS "issueTitle",
  g.agent_id AS "agentId", agent.name AS "agentName", g.holds, g.answer_role AS "answerRole",
  g.title, g.detail, g.options, g.recommended, g.request, g.answer, g.outcome,
  coalesce(g.result_exact, g.result::json) AS result,
  g.opened_by_type AS "openedByType", g.opened_by_id AS "openedById", g.opened_by_name AS "openedByName",
  g.closed_by_type AS "closedByType", g.closed_by_id AS "closedById", g.closed_by_name AS "closedByName",
  g.created_at AS "createdAt", g.expires_at AS "expiresAt", g.closed_at AS "closedAt"`;
