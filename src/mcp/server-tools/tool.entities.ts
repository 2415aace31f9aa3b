import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { whole } from '../../platform/database/schema-versions.js';
import type { Actor } from '../../platform/journal/journal.service.js';
import { InstalledServer } from '../server-records/server-records.entities.js';
import type { ToolDefinition } from '../server-records/tool-definition.js';
import type { ArgumentShape, CallOutcome, CallReason } from './call-arguments-outcomes-reasons.js';

/**
 * A tool as its server listed it, with what of it a person approved. It is approved if it is present, valid and `approvedHash`
 * equals `hash`.
 */
@Entity('server_tools')
export class ServerTool {
  @ForeignKey(() => InstalledServer, { name: 'server_tools_server_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'server_id', primaryKeyConstraintName: 'server_tools_pk' })
  serverId!: string;

  @PrimaryColumn({ type: 'text', collation: 'C', primaryKeyConstraintName: 'server_tools_pk' })
  name!: string;

  @Column({ type: 'jsonb' })
  definition!: ToolDefinition;

  @Column({ type: 'text' })
  hash!: string;

  @Column({ type: 'text', name: 'approved_hash', nullable: true })
  approvedHash!: string | null;

  @Column({ type: 'jsonb', name: 'approved_by', nullable: true })
  approvedBy!: Actor | null;

  @Column({ type: 'boolean', default: true })
  present!: boolean;

  @Column({ type: 'timestamptz', name: 'first_seen_at', precision: 3, default: () => 'now()' })
  firstSeenAt!: Date;

  @Column({ type: 'timestamptz', name: 'changed_at', precision: 3, nullable: true })
  changedAt!: Date | null;

  /** What was approved, kept since the tool changed; null for a tool that never changed after an approval. */
  @Column({ type: 'jsonb', name: 'approved_definition', nullable: true })
  approvedDefinition!: ToolDefinition | null;

  /** The definition with its members in the order of the server; null where an earlier release stored it. */
  @Column({ type: 'json', nullable: true })
  written!: ToolDefinition | null;

  /** The hash of the definition that is written. */
  @Column({ type: 'text', name: 'written_for', nullable: true })
  writtenFor!: string | null;

  /** The approved definition with its members in the order of the server. */
  @Column({ type: 'json', name: 'approved_written', nullable: true })
  approvedWritten!: ToolDefinition | null;

  /** Why clients of agents would refuse the definition; null for a valid one. */
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
  argumentShape!: ArgumentShape;

  /** The outcome as the previous release reads it. */
  @Column({ type: 'text' })
  result!: 'ok' | 'tool_error' | 'refused' | 'failed';

  @Column({ type: 'integer', name: 'duration_ms' })
  durationMs!: number;

  @Column({ type: 'text', nullable: true })
  outcome!: CallOutcome | null;

  @Column({ type: 'text', nullable: true })
  reason!: CallReason | null;

  @Column({ type: 'text', name: 'arguments_hash', nullable: true })
  argumentsHash!: string | null;

  @Column({ ...whole, name: 'result_bytes', nullable: true })
  resultBytes!: number | null;

  /** The lease of the issue for which the call was made. */
  @Column({ ...whole, name: 'lease_token', nullable: true })
  leaseToken!: number | null;

  /** The gate that the call waited for. */
  @Column({ type: 'uuid', name: 'gate_id', nullable: true })
  gateId!: string | null;
}
