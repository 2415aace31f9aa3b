import { Check, Column, Entity, Index, PrimaryColumn, Unique } from 'typeorm';
import { whole } from '../../platform/database/schema-versions.js';

/** What an agent reported to have used. Months are partitions. */
@Entity('usage_reports')
@Check('usage_reports_cache_read', '(cache_read_tokens >= 0)')
@Check('usage_reports_cache_write', '(cache_write_tokens >= 0)')
@Check('usage_reports_cost', '(cost_micros >= 0)')
@Check('usage_reports_input', '(input_tokens >= 0)')
@Check('usage_reports_output', '(output_tokens >= 0)')
export class UsageReport {
  @PrimaryColumn({ type: 'uuid', name: 'agent_id', primaryKeyConstraintName: 'usage_reports_pk' })
  agentId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'report_id', primaryKeyConstraintName: 'usage_reports_pk' })
  reportId!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  at!: Date;

  @Column({ type: 'uuid', name: 'project_id', nullable: true })
  projectId!: string | null;

  @Column({ type: 'uuid', name: 'issue_id', nullable: true })
  issueId!: string | null;

  @Column({ type: 'text', nullable: true })
  model!: string | null;

  @Column({ ...whole, name: 'input_tokens' })
  inputTokens!: number;

  @Column({ ...whole, name: 'output_tokens' })
  outputTokens!: number;

  @Column({ ...whole, name: 'cache_read_tokens' })
  cacheReadTokens!: number;

  @Column({ ...whole, name: 'cache_write_tokens' })
  cacheWriteTokens!: number;

  @Column({ ...whole, name: 'cost_micros' })
  costMicros!: number;

  @PrimaryColumn({
    type: 'date',
    default: () => `date_trunc('month', (now() AT TIME ZONE 'UTC'))`,
    primaryKeyConstraintName: 'usage_reports_pk',
  })
  month!: string;
}

/** The sums of reports by hour and place. Months are partitions. It has no primary key: no row is read as an entity. */
@Entity('usage_hours', { synchronize: false })
@Index('usage_hours_of_agent', ['agentId', 'hour'])
@Index('usage_hours_of_issue', ['issueId', 'hour'], { where: '(issue_id IS NOT NULL)' })
@Index('usage_hours_of_project', ['projectId', 'hour'], { where: '(project_id IS NOT NULL)' })
@Unique('usage_hours_unique', ['hour', 'agentId', 'projectId', 'issueId', 'model'])
export class UsageHour {
  @PrimaryColumn({ type: 'timestamptz', precision: 3 })
  hour!: Date;

  @PrimaryColumn({ type: 'uuid', name: 'agent_id' })
  agentId!: string;

  @PrimaryColumn({ type: 'uuid', name: 'project_id' })
  projectId!: string | null;

  @PrimaryColumn({ type: 'uuid', name: 'issue_id' })
  issueId!: string | null;

  @PrimaryColumn({ type: 'text' })
  model!: string | null;

  @Column({ ...whole, name: 'input_tokens', default: 0 })
  inputTokens!: number;

  @Column({ ...whole, name: 'output_tokens', default: 0 })
  outputTokens!: number;

  @Column({ ...whole, name: 'cache_read_tokens', default: 0 })
  cacheReadTokens!: number;

  @Column({ ...whole, name: 'cache_write_tokens', default: 0 })
  cacheWriteTokens!: number;

  @Column({ ...whole, name: 'cost_micros', default: 0 })
  costMicros!: number;

  @Column({ ...whole, default: 0 })
  turns!: number;

  @Column({ ...whole, name: 'reported_turns', default: 0 })
  reportedTurns!: number;

  @Column({ ...whole, name: 'tool_calls', default: 0 })
  toolCalls!: number;

  @Column({ ...whole, name: 'wall_ms', default: 0 })
  wallMs!: number;
}

/** The sums that budgets are compared with. */
@Entity('usage_totals')
@Check('usage_totals_period_known', `(period = ANY (ARRAY['day'::text, 'month'::text, 'total'::text]))`)
@Check('usage_totals_scope_known', `(scope = ANY (ARRAY['agent'::text, 'project'::text, 'issue'::text]))`)
export class UsageTotal {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'usage_totals_pk' })
  scope!: string;

  @PrimaryColumn({ type: 'uuid', name: 'scope_id', primaryKeyConstraintName: 'usage_totals_pk' })
  scopeId!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'usage_totals_pk' })
  period!: string;

  @PrimaryColumn({ type: 'date', name: 'starts_on', primaryKeyConstraintName: 'usage_totals_pk' })
  startsOn!: string;

  @Column({ ...whole, name: 'input_tokens', default: 0 })
  inputTokens!: number;

  @Column({ ...whole, name: 'output_tokens', default: 0 })
  outputTokens!: number;

  @Column({ ...whole, name: 'cache_read_tokens', default: 0 })
  cacheReadTokens!: number;

  @Column({ ...whole, name: 'cache_write_tokens', default: 0 })
  cacheWriteTokens!: number;

  @Column({ ...whole, name: 'cost_micros', default: 0 })
  costMicros!: number;

  @Column({ ...whole, default: 0 })
  turns!: number;

  @Column({ ...whole, name: 'reported_turns', default: 0 })
  reportedTurns!: number;

  @Column({ ...whole, name: 'tool_calls', default: 0 })
  toolCalls!: number;

  @Column({ ...whole, name: 'wall_ms', default: 0 })
  wallMs!: number;
}
