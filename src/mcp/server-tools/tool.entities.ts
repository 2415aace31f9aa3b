import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { whole } from '../../platform/database/whole.js';
import { InstalledServer } from '../server-records/server-records.entities.js';

/** A tool as its server listed it, with what of it a person approved. */
@Entity('server_tools')
export class ServerTool {
  @ForeignKey(() => InstalledServer, { name: 'server_tools_server_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'server_id', primaryKeyConstraintName: 'server_tools_pk' })
  serverId!: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'server_tools_pk' })
  name!: string;

  @Column({ type: 'jsonb' })
  definition!: unknown;

  @Column({ type: 'text' })
  hash!: string;

  @Column({ type: 'text', name: 'approved_hash', nullable: true })
  approvedHash!: string | null;

  @Column({ type: 'jsonb', name: 'approved_by', nullable: true })
  approvedBy!: unknown;

  @Column({ type: 'boolean', default: true })
  present!: boolean;

  @Column({ type: 'timestamptz', name: 'first_seen_at', precision: 3, default: () => 'now()' })
  firstSeenAt!: Date;

  @Column({ type: 'timestamptz', name: 'changed_at', precision: 3, nullable: true })
  changedAt!: Date | null;

  @Column({ type: 'jsonb', name: 'approved_definition', nullable: true })
  approvedDefinition!: unknown;

  @Column({ type: 'json', nullable: true })
  written!: unknown;

  @Column({ type: 'text', name: 'written_for', nullable: true })
  writtenFor!: string | null;

  @Column({ type: 'json', name: 'approved_written', nullable: true })
  approvedWritten!: unknown;

  @Column({ type: 'text', name: 'invalid_reason', nullable: true })
  invalidReason!: string | null;

  @Column({ type: 'integer', default: 0 })
  position!: number;
}

/** The record of a call. Months are partitions. */
@Entity('tool_calls')
@Index('tool_calls_by_outcome', { synchronize: false }) // expression
@Index('tool_calls_of_agent', ['agentId', 'calledAt'])
@Index('tool_calls_of_issue', ['issueId', 'calledAt'], { where: '(issue_id IS NOT NULL)' })
@Index('tool_calls_of_server', ['serverId', 'calledAt'])
@Index('tool_calls_of_tool', ['tool', 'calledAt'])
@Check(
  'tool_calls_result_known',
  `(result = ANY (ARRAY['ok'::text, 'tool_error'::text, 'refused'::text, 'failed'::text]))`,
)
export class ToolCall {
  // The key begins with the time, by which the table is divided.
  @PrimaryColumn({
    type: 'timestamptz',
    name: 'called_at',
    precision: 3,
    primaryKeyConstraintName: 'tool_calls_pk',
  })
  calledAt!: Date;

  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'tool_calls_pk' })
  id!: string;

  @Column({ type: 'uuid', name: 'agent_id', nullable: true })
  agentId!: string | null;

  @Column({ type: 'uuid', name: 'user_id', nullable: true })
  userId!: string | null;

  @Column({ type: 'uuid', name: 'issue_id', nullable: true })
  issueId!: string | null;

  @Column({ type: 'uuid', name: 'server_id' })
  serverId!: string;

  @Column({ type: 'text', name: 'server_name' })
  serverName!: string;

  @Column({ type: 'text' })
  tool!: string;

  @Column({ type: 'jsonb', name: 'argument_shape' })
  argumentShape!: unknown;

  @Column({ type: 'text' })
  result!: string;

  @Column({ type: 'integer', name: 'duration_ms' })
  durationMs!: number;

  @Column({ type: 'text', nullable: true })
  outcome!: string | null;

  @Column({ type: 'text', nullable: true })
  reason!: string | null;

  @Column({ type: 'text', name: 'arguments_hash', nullable: true })
  argumentsHash!: string | null;

  @Column({ ...whole, name: 'result_bytes', nullable: true })
  resultBytes!: number | null;

  @Column({ ...whole, name: 'lease_token', nullable: true })
  leaseToken!: number | null;

  @Column({ type: 'uuid', name: 'gate_id', nullable: true })
  gateId!: string | null;
}
