import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Agent } from '../../agents/agent.entity.js';
import type { GateKind, GateState } from '../issue-status/issue-status.js';
import { Issue } from '../issue-status/issue.entity.js';
import { Project } from '../projects/project.entity.js';

/** How checks ended: `merged` and `closed` say so of the pull request (contract §5.13). */
export const checksReasons = ['checks_passed', 'checks_failed', 'merged', 'closed'] as const;
export type ChecksReason = (typeof checksReasons)[number];

/** What a person answered, or how checks ended; the members depend on the kind of the gate. */
export type GateAnswer =
  | { option: string | null; text: string | null; fields: Record<string, unknown> | null }
  | { decision: 'approve' | 'deny'; scope: 'once' | 'issue'; note: string | null }
  | { decision: 'extend' | 'stop'; by: number | null }
  | { passed: boolean; reason: ChecksReason };

/** A gate that is over, as a worker receives it. */
export interface CarriedAnswer {
  gateId: string;
  kind: 'question' | 'approval' | 'checks';
  state: Exclude<GateState, 'open'>;
  request: Record<string, unknown>;
  answer: GateAnswer | null;
  outcome: string | null;
  result: unknown;
}

/** A gate of an issue that is over. */
export interface IssueAnswer extends CarriedAnswer {
  issueId: string;
}

/** The beginning of what an agent wrote last about an issue. */
interface LastWords {
  text: string;
  at: string;
}

/** How much waits for a gate. */
type GateBlocks = Record<'issues' | 'agents', number>;

/** What a person should know beside the gate. */
export interface GateContext {
  blocks: GateBlocks;
  /** Of an approval: what its agent wrote last about the issue. */
  lastWords: LastWords | null;
}

/** A gate whose time is over. */
export interface DueGate {
  id: string;
  issueId: string | null;
}

/** A gate that expired, as the journal records it. */
export interface ExpiredGate {
  id: string;
  kind: GateKind;
  projectId: string | null;
  issueId: string | null;
}

/** What waits for a person: a question, a budget, or the approval of a tool call; or for the checks of pull requests. */
@Entity('gates')
@Index('gates_by_age', ['createdAt', 'id'])
@Index('gates_expiring', ['expiresAt'], { where: `(state = 'open'::text)` })
@Index('gates_holding', ['issueId'], { where: 'holds' })
@Index('gates_of_agent', ['agentId', 'createdAt', 'id'])
@Index('gates_of_issue', ['issueId', 'createdAt', 'id'])
@Index('gates_of_project', ['projectId', 'createdAt', 'id'])
@Index('gates_open', ['createdAt', 'id'], { where: `(state = 'open'::text)` })
@Index('gates_open_of_agent', ['agentId'], { where: `(state = 'open'::text)` })
@Index('gates_open_once', ['onceKey'], {
  unique: true,
  where: `((once_key IS NOT NULL) AND (state = 'open'::text))`,
})
@Index('gates_undelivered', ['issueId'], { where: `((state <> 'open'::text) AND (delivered_at IS NULL))` })
@Index('gates_undelivered_alone', ['agentId'], {
  where: `((issue_id IS NULL) AND (state <> 'open'::text) AND (delivered_at IS NULL))`,
})
@Check('gates_answer_role_known', `(answer_role = ANY (ARRAY['Editor'::text, 'Admin'::text]))`)
@Check('gates_answered_with_answer', `((state = 'answered'::text) = (answer IS NOT NULL))`)
@Check('gates_closed_at_once', `((state = 'open'::text) = (closed_at IS NULL))`)
@Check('gates_few_options', '(cardinality(options) <= 10)')
@Check('gates_hold_an_issue', '((NOT holds) OR (issue_id IS NOT NULL))')
@Check(
  'gates_hold_while_undecided',
  `((NOT holds) OR (state = 'open'::text) OR ((kind = ANY (ARRAY['approval'::text, 'question'::text])) AND (state = 'answered'::text) AND (outcome IS NULL)))`,
)
@Check('gates_issue_has_project', '((issue_id IS NULL) OR (project_id IS NOT NULL))')
@Check(
  'gates_kind_known',
  `(kind = ANY (ARRAY['approval'::text, 'question'::text, 'budget'::text, 'checks'::text]))`,
)
@Check('gates_only_budgets_last', `((kind = 'budget'::text) OR (expires_at IS NOT NULL))`)
@Check('gates_recommend_an_option', '((recommended IS NULL) OR (recommended = ANY (options)))')
@Check(
  'gates_state_known',
  `(state = ANY (ARRAY['open'::text, 'answered'::text, 'expired'::text, 'withdrawn'::text]))`,
)
export class Gate {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'gates_pk' })
  id!: string;

  @Column({ type: 'text' })
  kind!: string;

  @Column({ type: 'text', default: 'open' })
  state!: string;

  @ForeignKey(() => Project, { name: 'gates_project_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'project_id', nullable: true })
  projectId!: string | null;

  @ForeignKey(() => Issue, { name: 'gates_issue_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'issue_id', nullable: true })
  issueId!: string | null;

  @ForeignKey(() => Agent, { name: 'gates_agent_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'agent_id', nullable: true })
  agentId!: string | null;

  @Column({ type: 'boolean', default: false })
  holds!: boolean;

  @Column({ type: 'text', name: 'answer_role', default: 'Editor' })
  answerRole!: string;

  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'text', nullable: true })
  detail!: string | null;

  @Column({ type: 'text', array: true, default: [] as never })
  options!: string[];

  @Column({ type: 'text', nullable: true })
  recommended!: string | null;

  @Column({ type: 'json' })
  request!: unknown;

  @Column({ type: 'jsonb', nullable: true })
  answer!: unknown;

  @Column({ type: 'text', nullable: true })
  outcome!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  result!: unknown;

  @Column({ type: 'text', name: 'once_key', nullable: true })
  onceKey!: string | null;

  @Column({ type: 'text', name: 'opened_by_type' })
  openedByType!: string;

  @Column({ type: 'uuid', name: 'opened_by_id', nullable: true })
  openedById!: string | null;

  @Column({ type: 'text', name: 'opened_by_name' })
  openedByName!: string;

  @Column({ type: 'text', name: 'closed_by_type', nullable: true })
  closedByType!: string | null;

  @Column({ type: 'uuid', name: 'closed_by_id', nullable: true })
  closedById!: string | null;

  @Column({ type: 'text', name: 'closed_by_name', nullable: true })
  closedByName!: string | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'closed_at', precision: 3, nullable: true })
  closedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'delivered_at', precision: 3, nullable: true })
  deliveredAt!: Date | null;

  @Column({ type: 'json', name: 'result_exact', nullable: true })
  resultExact!: unknown;
}

/** The sealed arguments of a call that waits for its approval. */
@Entity('gate_arguments')
export class GateArguments {
  @ForeignKey(() => Gate, { name: 'gate_arguments_gate_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'gate_id', primaryKeyConstraintName: 'gate_arguments_pk' })
  gateId!: string;

  @Column({ type: 'text', default: 'arguments' })
  name!: string;

  @Column({ type: 'text' })
  sealed!: string;
}
