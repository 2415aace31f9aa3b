import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Agent } from '../../agents/agent.entity.js';
import { whole } from '../../platform/database/schema-versions.js';
import { Attachment } from '../attachments/attachment.entity.js';
import { Issue } from '../issue-status/issue.entity.js';

export const runStates = ['running', 'stopped', 'lost'] as const;
export type RunState = (typeof runStates)[number];

/** What a worker reported of one lease of an issue. */
@Entity('issue_runs')
@Index('issue_runs_of_agent', ['agentId'])
@Index('issue_runs_of_log', ['logId'], { where: '(log_id IS NOT NULL)' })
@Check('issue_runs_stop_whole', '((stopped IS NULL) = (stopped_at IS NULL))')
export class IssueRun {
  @ForeignKey(() => Issue, { name: 'issue_runs_issue_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'issue_id', primaryKeyConstraintName: 'issue_runs_pk' })
  issueId!: string;

  @PrimaryColumn({ ...whole, primaryKeyConstraintName: 'issue_runs_pk' })
  token!: number;

  @ForeignKey(() => Agent, { name: 'issue_runs_agent_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'agent_id' })
  agentId!: string;

  @Column({ type: 'text', nullable: true })
  session!: string | null;

  @Column({ type: 'integer', default: 0 })
  turns!: number;

  @Column({ ...whole, default: 0 })
  tokens!: number;

  @Column({ ...whole, name: 'cost_micros', default: 0 })
  costMicros!: number;

  @Column({ type: 'text', default: '' })
  output!: string;

  @ForeignKey(() => Attachment, { name: 'issue_runs_log_fk', onDelete: 'SET NULL' })
  @Column({ type: 'uuid', name: 'log_id', nullable: true })
  logId!: string | null;

  @Column({ type: 'text', nullable: true })
  stopped!: string | null;

  @Column({ type: 'timestamptz', name: 'started_at', precision: 3, default: () => 'now()' })
  startedAt!: Date;

  @Column({ type: 'timestamptz', name: 'reported_at', precision: 3, default: () => 'now()' })
  reportedAt!: Date;

  @Column({ type: 'timestamptz', name: 'stopped_at', precision: 3, nullable: true })
  stoppedAt!: Date | null;
}

/** A run as it is read. */
export type RunRow = Omit<IssueRun, 'issueId' | 'agentId'> & {
  agent: { id: string; name: string };
  state: RunState;
};
