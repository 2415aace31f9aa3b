import { Check, Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Agent } from '../../agents/agent.entity.js';
import { whole } from '../../platform/database/schema-versions.js';

/** As the database and the error name it. */
export type QuotaKind = 'comments' | 'attachments' | 'usage reports';

/** How much of a quota an agent has used in its present window. */
@Entity('agent_quotas')
@Check(
  'agent_quotas_kind',
  `(kind = ANY (ARRAY['comments'::text, 'attachments'::text, 'usage reports'::text]))`,
)
export class AgentQuota {
  @ForeignKey(() => Agent, { name: 'agent_quotas_agent_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'agent_id', primaryKeyConstraintName: 'agent_quotas_pk' })
  agentId!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'agent_quotas_pk' })
  kind!: QuotaKind;

  @Column({ type: 'timestamptz', precision: 3 })
  since!: Date;

  @Column({ ...whole })
  number!: number;

  @Column({ ...whole })
  bytes!: number;
}
