import { Check, Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { whole } from '../../platform/database/schema-versions.js';

/** The most that an agent, a project or an issue may cost. */
@Entity('budgets')
@Index('budgets_stopped', ['scopeId'], { where: '(gate_id IS NOT NULL)' })
@Check('budgets_cost', '(cost_micros > 0)')
@Check('budgets_limit_something', '(num_nonnulls(tokens, cost_micros, turns, tool_calls, wall_seconds) > 0)')
@Check('budgets_period_known', `(period = ANY (ARRAY['day'::text, 'month'::text, 'total'::text]))`)
@Check('budgets_scope_known', `(scope = ANY (ARRAY['agent'::text, 'project'::text, 'issue'::text]))`)
@Check('budgets_tokens', '(tokens > 0)')
@Check('budgets_tool_calls', '(tool_calls > 0)')
@Check('budgets_turns', '(turns > 0)')
@Check('budgets_wall', '(wall_seconds > 0)')
export class Budget {
  @PrimaryColumn({ type: 'uuid', name: 'scope_id', primaryKeyConstraintName: 'budgets_pk' })
  scopeId!: string;

  @Column({ type: 'text' })
  scope!: string;

  @Column({ type: 'text' })
  period!: string;

  @Column({ ...whole, nullable: true })
  tokens!: number | null;

  @Column({ ...whole, name: 'cost_micros', nullable: true })
  costMicros!: number | null;

  @Column({ ...whole, nullable: true })
  turns!: number | null;

  @Column({ ...whole, name: 'tool_calls', nullable: true })
  toolCalls!: number | null;

  @Column({ ...whole, name: 'wall_seconds', nullable: true })
  wallSeconds!: number | null;

  @Column({ type: 'jsonb', default: {} as never })
  extra!: unknown;

  @Column({ type: 'date', name: 'extra_on', nullable: true })
  extraOn!: string | null;

  @Column({ type: 'date', name: 'stopped_on', nullable: true })
  stoppedOn!: string | null;

  @Column({ type: 'uuid', name: 'gate_id', nullable: true })
  gateId!: string | null;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
