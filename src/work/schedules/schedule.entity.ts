import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { User } from '../../platform/authentication/authentication.entities.js';
import type { Role } from '../../platform/authentication/principals-and-roles.js';
import type { Priority } from '../issue-status/issue-status.js';
import { Project } from '../projects/project.entity.js';

/** What happens at a due time while the last issue of the schedule is unresolved (contract §5.11). */
export const policies = ['skip', 'queue', 'replace'] as const;
export type Policy = (typeof policies)[number];

/** What an issue of a schedule is made from, with all of its fields. */
export interface IssueTemplate {
  title: string;
  description: string;
  assignedAgentId: string | null;
  assigneeUserId: string | null;
  goalId: string | null;
  labels: string[];
  priority: Priority;
  parent: string | null;
  holdsParent: boolean;
  blockedBy: string[];
}

/** Times at which a project gets an issue. */
@Entity('schedules')
@Index('schedules_due', ['nextAt'], { where: '(next_at IS NOT NULL)' })
@Index('schedules_of_project', ['projectId', 'createdAt', 'id'])
@Index('schedules_failing', ['projectId'], { where: '(failures > 0)' })
@Check('schedules_policy_known', `(policy = ANY (ARRAY['skip'::text, 'queue'::text, 'replace'::text]))`)
@Check('schedules_due_while_enabled', '(enabled = (next_at IS NOT NULL))')
export class Schedule {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'schedules_pk' })
  id!: string;

  @ForeignKey(() => Project, { name: 'schedules_project_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'project_id' })
  projectId!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  cron!: string;

  @Column({ type: 'text', name: 'time_zone' })
  timeZone!: string;

  @Column({ type: 'jsonb' })
  template!: IssueTemplate;

  @Column({ type: 'text' })
  policy!: Policy;

  @Column({ type: 'boolean' })
  enabled!: boolean;

  /** The due time that is to come, or that no process has acted on yet. */
  @Column({ type: 'timestamptz', name: 'next_at', precision: 3, nullable: true })
  nextAt!: Date | null;

  /** The due time of the last issue, or when a person asked for it. */
  @Column({ type: 'timestamptz', name: 'last_at', precision: 3, nullable: true })
  lastAt!: Date | null;

  /**
   * The last issue, also after it was deleted. A foreign key would make the deletion of an issue wait for this row, which a
   * process locks before the graph.
   */
  @Column({ type: 'uuid', name: 'last_issue_id', nullable: true })
  lastIssueId!: string | null;

  /** How many issues it has created. */
  @Column({ type: 'integer', default: 0 })
  issues!: number;

  /** Since the last success, or the last change by a person. */
  @Column({ type: 'integer', default: 0 })
  failures!: number;

  @Column({ type: 'timestamptz', name: 'failing_since', precision: 3, nullable: true })
  failingSince!: Date | null;

  @Column({ type: 'text', name: 'last_failure', nullable: true })
  lastFailure!: string | null;

  /** The user whose rights decide what it may create: the last one who changed it. */
  @ForeignKey(() => User, { name: 'schedules_editor_fk', onDelete: 'RESTRICT' })
  @Column({ type: 'uuid', name: 'editor_id' })
  editorId!: string;

  /** The role that the key of this user was limited to. */
  @Column({ type: 'text', name: 'editor_cap', nullable: true })
  editorCap!: Role | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}

/** A due time that was acted on, written in the transaction that did it: its key is why no due time has two issues. */
@Entity('schedule_runs')
@Index('schedule_runs_by_age', ['dueAt'])
@Check(
  'schedule_runs_outcome_known',
  `(outcome = ANY (ARRAY['created'::text, 'skipped'::text, 'failed'::text]))`,
)
export class ScheduleRun {
  @ForeignKey(() => Schedule, { name: 'schedule_runs_schedule_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'schedule_id', primaryKeyConstraintName: 'schedule_runs_pk' })
  scheduleId!: string;

  @PrimaryColumn({
    type: 'timestamptz',
    name: 'due_at',
    precision: 3,
    primaryKeyConstraintName: 'schedule_runs_pk',
  })
  dueAt!: Date;

  @Column({ type: 'text' })
  outcome!: 'created' | 'skipped' | 'failed';
}
