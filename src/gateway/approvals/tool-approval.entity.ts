import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Gate } from '../../work/gates/gate.entity.js';

/** The call behind the gate of an approval. */
@Entity('tool_approvals')
@Index('tool_approvals_active', ['phase'], {
  where: `(phase = ANY (ARRAY['waiting'::text, 'approved'::text, 'executing'::text]))`,
})
@Index('tool_approvals_of_issue', ['issueId', 'agentId', 'serverId', 'tool'], {
  where: '(issue_id IS NOT NULL)',
})
@Check(
  'tool_approvals_phase_known',
  `(phase = ANY (ARRAY['waiting'::text, 'parked'::text, 'approved'::text, 'executing'::text, 'done'::text]))`,
)
export class ToolApproval {
  @ForeignKey(() => Gate, { name: 'tool_approvals_gate_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'gate_id', primaryKeyConstraintName: 'tool_approvals_pk' })
  gateId!: string;

  @Column({ type: 'uuid', name: 'agent_id' })
  agentId!: string;

  @Column({ type: 'uuid', name: 'issue_id', nullable: true })
  issueId!: string | null;

  @Column({ type: 'uuid', name: 'server_id' })
  serverId!: string;

  @Column({ type: 'text' })
  tool!: string;

  @Column({ type: 'text', name: 'tool_hash' })
  toolHash!: string;

  @Column({ type: 'timestamptz', name: 'granted_at', precision: 3 })
  grantedAt!: Date;

  @Column({ type: 'text', default: 'waiting' })
  phase!: string;

  @Column({ type: 'timestamptz', name: 'wait_until', precision: 3 })
  waitUntil!: Date;

  @Column({ type: 'timestamptz', name: 'renewed_at', precision: 3, nullable: true })
  renewedAt!: Date | null;

  @Column({ type: 'boolean', name: 'has_caller', default: true })
  hasCaller!: boolean;

  @Column({ type: 'boolean', name: 'is_polled', default: false })
  isPolled!: boolean;

  @Column({ type: 'uuid', name: 'credential_set_id', nullable: true })
  credentialSetId!: string | null;

  @Column({ type: 'text', name: 'cancel_key', nullable: true })
  cancelKey!: string | null;
}
