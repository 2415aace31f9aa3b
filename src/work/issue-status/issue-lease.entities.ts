import { Column, type ColumnType, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Agent } from '../../agents/agent.entity.js';
import { whole } from '../../platform/database/schema-versions.js';
import { Issue } from './issue.entity.js';

/** Who works on an issue, and until when; without `expiresAt` the lease has ended (contract §7.2). */
@Entity('issue_leases')
@Index('issue_leases_agent', ['agentId'])
@Index('issue_leases_measured', ['issueId'], { where: '(wall_ms > 0)' })
@Index('issue_leases_of_mcp_worker', ['agentId', 'mcpWorker'], { where: '(mcp_worker IS NOT NULL)' })
@Index('issue_leases_of_session', ['agentId', 'mcpSession'], { where: '(mcp_session IS NOT NULL)' })
@Index('issue_leases_of_worker', ['agentId', 'worker'], { where: '(worker IS NOT NULL)' })
export class IssueLease {
  @ForeignKey(() => Issue, { name: 'issue_leases_issue_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'issue_id', primaryKeyConstraintName: 'issue_leases_pk' })
  issueId!: string;

  @ForeignKey(() => Agent, { name: 'issue_leases_agent_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'agent_id' })
  agentId!: string;

  @Column({ ...whole })
  token!: number;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt!: Date | null;

  @Column({
    type: 'pg_snapshot' as ColumnType,
    name: 'told_of',
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  toldOf!: string | null;

  @Column({ type: 'text', nullable: true })
  worker!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  heard!: unknown;

  @Column({ type: 'integer', default: 0 })
  turns!: number;

  @Column({ type: 'integer', name: 'reported_turn', default: 0 })
  reportedTurn!: number;

  @Column({ ...whole, name: 'wall_ms', default: 0 })
  wallMs!: number;

  @Column({ type: 'timestamptz', name: 'measured_at', precision: 3, nullable: true })
  measuredAt!: Date | null;

  @Column({ type: 'bigint', name: 'taken_over', array: true, default: [] as never })
  takenOver!: string[];

  @Column({ type: 'text', name: 'ended_as', nullable: true })
  endedAs!: string | null;

  @Column({ ...whole, name: 'mcp_token', nullable: true })
  mcpToken!: number | null;

  @Column({ type: 'integer', name: 'mcp_seconds', nullable: true })
  mcpSeconds!: number | null;

  @Column({ type: 'text', name: 'mcp_session', nullable: true })
  mcpSession!: string | null;

  @Column({ type: 'text', name: 'mcp_worker', nullable: true })
  mcpWorker!: string | null;

  @Column({ type: 'boolean', name: 'mcp_confirmed', default: false })
  mcpConfirmed!: boolean;
}

/** What an agent has received of an issue that another agent took after it. */
@Entity('issue_leases_before')
export class IssueLeaseBefore {
  @ForeignKey(() => Issue, { name: 'issue_leases_before_issue_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'issue_id', primaryKeyConstraintName: 'issue_leases_before_pk' })
  issueId!: string;

  @ForeignKey(() => Agent, { name: 'issue_leases_before_agent_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'agent_id', primaryKeyConstraintName: 'issue_leases_before_pk' })
  agentId!: string;

  @Column({
    type: 'pg_snapshot' as ColumnType,
    name: 'told_of',
    nullable: true,
    select: false,
    insert: false,
    update: false,
  })
  toldOf!: string | null;

  @Column({ type: 'jsonb', nullable: true })
  heard!: unknown;
}

/** The lease of a deleted issue that its worker has not heard of, for a day. */
@Entity('deleted_leases')
@Index('deleted_leases_of_worker', ['agentId', 'worker'])
export class DeletedLease {
  @PrimaryColumn({ type: 'uuid', name: 'issue_id', primaryKeyConstraintName: 'deleted_leases_pk' })
  issueId!: string;

  @ForeignKey(() => Agent, { name: 'deleted_leases_agent_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'agent_id' })
  agentId!: string;

  @Column({ type: 'text' })
  worker!: string;

  @Column({ ...whole })
  token!: number;

  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, default: () => 'now()' })
  deletedAt!: Date;
}

/** The answer to a finished turn, so that the same report gets the same answer. */
@Entity('lease_finishes')
export class LeaseFinish {
  @ForeignKey(() => Issue, { name: 'lease_finishes_issue_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'issue_id', primaryKeyConstraintName: 'lease_finishes_pk' })
  issueId!: string;

  @PrimaryColumn({ ...whole, primaryKeyConstraintName: 'lease_finishes_pk' })
  token!: number;

  @ForeignKey(() => Agent, { name: 'lease_finishes_agent_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'agent_id' })
  agentId!: string;

  @Column({ type: 'text' })
  outcome!: string;

  @Column({ type: 'text', nullable: true })
  request!: string | null;

  @Column({ type: 'json', nullable: true })
  response!: unknown;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  at!: Date;
}
