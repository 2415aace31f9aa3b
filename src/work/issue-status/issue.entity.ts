import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Agent } from '../../agents/agent.entity.js';
import { User } from '../../platform/authentication/authentication.entities.js';
import { Goal } from '../goals/goal.entity.js';
import { Project } from '../projects/project.entity.js';

/** The terms that a search finds an issue by; a trigger writes it. */
@Entity('issue_words')
@Index('issue_words_search', { synchronize: false }) // WITH
export class IssueWords {
  @ForeignKey(() => Issue, { name: 'issue_words_issue_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'issue_id', primaryKeyConstraintName: 'issue_words_pk' })
  issueId!: string;

  @Column({ type: 'tsvector' })
  words!: string;
}

/** The unit of work (contract §5.2). `version` counts changes of what a person may edit. */
@Entity('issues')
@Index('issues_by_change', { synchronize: false }) // COLLATE
@Index('issues_by_priority', { synchronize: false }) // COLLATE
@Index('issues_by_status', { synchronize: false }) // COLLATE
@Index('issues_of_agent', ['assignedAgentId', 'status', 'createdAt', 'id'], {
  where: '(assigned_agent_id IS NOT NULL)',
})
@Index('issues_of_goal', ['goalId', 'status', 'createdAt', 'id'], { where: '(goal_id IS NOT NULL)' })
@Index('issues_of_parent', ['parentId', 'status', 'createdAt', 'id'], { where: '(parent_id IS NOT NULL)' })
@Index('issues_of_project', ['projectId', 'createdAt', 'id'])
@Index('issues_of_project_by_change', ['projectId', 'status', 'updatedAt', 'id'])
@Index('issues_of_project_by_priority', ['projectId', 'status', 'priority', 'createdAt', 'id'])
@Index('issues_of_project_by_status', ['projectId', 'status', 'createdAt', 'id'])
@Index('issues_of_user', ['assigneeUserId', 'status', 'createdAt', 'id'], {
  where: '(assignee_user_id IS NOT NULL)',
})
@Index('issues_ready_for_agent', { synchronize: false }) // DESC
@Index('issues_released_often', ['id'], { where: '(releases >= 10)' })
@Index('issues_unassigned', ['status', 'createdAt', 'id', 'projectId'], {
  where: '((assigned_agent_id IS NULL) AND (assignee_user_id IS NULL))',
})
@Unique('issues_number_unique', ['projectId', 'number'])
@Check('issues_parent_not_itself', '(parent_id <> id)')
@Check(
  'issues_paused_only_when_held',
  `((NOT paused) OR (status = ANY (ARRAY['Open'::text, 'WaitingOnDependency'::text])))`,
)
@Check('issues_label_count_range', '((label_count >= 0) AND (label_count <= 50))')
@Check('issues_priority_range', '((priority >= 0) AND (priority <= 4))')
@Check(
  'issues_status_known',
  `(status = ANY (ARRAY['Open'::text, 'InProgress'::text, 'WaitingOnDependency'::text, 'PendingReview'::text, 'Resolved'::text, 'Closed'::text]))`,
)
@ForeignKey(() => Goal, ['goalId', 'projectId'], ['id', 'projectId'], {
  name: 'issues_goal_of_same_project',
  onDelete: 'SET NULL',
})
export class Issue {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'issues_pk' })
  id!: string;

  @ForeignKey(() => Project, { name: 'issues_project_fk', onDelete: 'RESTRICT' })
  @Column({ type: 'uuid', name: 'project_id' })
  projectId!: string;

  @Column({ type: 'integer' })
  number!: number;

  @Column({ type: 'text' })
  title!: string;

  @Column({ type: 'text', default: '' })
  description!: string;

  @Column({ type: 'text' })
  status!: string;

  @Column({ type: 'boolean', default: false })
  paused!: boolean;

  @Column({ type: 'smallint', default: 0 })
  priority!: number;

  @ForeignKey(() => Agent, { name: 'issues_agent_fk', onDelete: 'RESTRICT' })
  @Column({ type: 'uuid', name: 'assigned_agent_id', nullable: true })
  assignedAgentId!: string | null;

  @ForeignKey(() => User, { name: 'issues_user_fk', onDelete: 'RESTRICT' })
  @Column({ type: 'uuid', name: 'assignee_user_id', nullable: true })
  assigneeUserId!: string | null;

  @Column({ type: 'uuid', name: 'goal_id', nullable: true })
  goalId!: string | null;

  @Column({ type: 'integer', default: 0 })
  attempts!: number;

  @Column({ type: 'integer', default: 1 })
  version!: number;

  @Column({ type: 'text', name: 'created_by_type' })
  createdByType!: string;

  @Column({ type: 'uuid', name: 'created_by_id', nullable: true })
  createdById!: string | null;

  @Column({ type: 'text', name: 'created_by_name' })
  createdByName!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;

  @Column({ type: 'timestamptz', name: 'started_at', precision: 3, nullable: true })
  startedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'resolved_at', precision: 3, nullable: true })
  resolvedAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'closed_at', precision: 3, nullable: true })
  closedAt!: Date | null;

  @Column({ type: 'uuid', name: 'given_back_by', nullable: true })
  givenBackBy!: string | null;

  @Column({ type: 'timestamptz', name: 'given_back_until', precision: 3, nullable: true })
  givenBackUntil!: Date | null;

  @Column({ type: 'timestamptz', name: 'status_since', precision: 3, default: () => 'now()' })
  statusSince!: Date;

  @Column({ type: 'integer', default: 0 })
  releases!: number;

  @Column({ type: 'timestamptz', name: 'released_since', precision: 3, nullable: true })
  releasedSince!: Date | null;

  @Column({ type: 'text', name: 'release_reason', nullable: true })
  releaseReason!: string | null;

  @Column({ type: 'boolean', name: 'handed_in', default: false })
  handedIn!: boolean;

  /** An issue of the same project, which a trigger ensures. */
  @ForeignKey(() => Issue, { name: 'issues_parent_fk', onDelete: 'SET NULL' })
  @Column({ type: 'uuid', name: 'parent_id', nullable: true })
  parentId!: string | null;

  /** Whether its parent waits for it. A trigger keeps the edge in `issue_links` that makes it wait. */
  @Column({ type: 'boolean', name: 'holds_parent', default: true })
  holdsParent!: boolean;

  /** Whether it has, or had, children. The trigger sets it. */
  @Column({ type: 'boolean', name: 'is_parent', default: false })
  isParent!: boolean;

  /** Whether it has, or had, a row of `code_links`. */
  @Column({ type: 'boolean', name: 'has_code', default: false })
  hasCode!: boolean;

  /** How many rows of `issue_labels` it has. */
  @Column({ type: 'smallint', name: 'label_count', default: 0 })
  labelCount!: number;
}
