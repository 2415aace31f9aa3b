import { Column, Entity, ForeignKey, PrimaryColumn } from 'typeorm';
import { Agent } from '../../agents/agent.entity.js';
import { whole } from '../../platform/database/schema-versions.js';
import { Issue } from '../issue-status/issue.entity.js';

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
