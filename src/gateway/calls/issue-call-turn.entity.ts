import { Column, Entity, PrimaryColumn } from 'typeorm';
import { whole } from '../../platform/database/schema-versions.js';

/** Calls in one turn of a lease, for the timeline of the issue. */
@Entity('issue_call_turns')
export class IssueCallTurn {
  @PrimaryColumn({ type: 'uuid', name: 'issue_id', primaryKeyConstraintName: 'issue_call_turns_pk' })
  issueId!: string;

  @PrimaryColumn({ ...whole, name: 'lease_token', primaryKeyConstraintName: 'issue_call_turns_pk' })
  leaseToken!: number;

  @PrimaryColumn({ type: 'integer', primaryKeyConstraintName: 'issue_call_turns_pk' })
  turn!: number;

  @Column({ type: 'integer' })
  calls!: number;

  @Column({ type: 'integer' })
  failed!: number;

  @Column({ type: 'text', array: true })
  tools!: string[];

  @Column({ type: 'timestamptz', name: 'first_at', precision: 3 })
  firstAt!: Date;

  @Column({ type: 'timestamptz', name: 'last_at', precision: 3 })
  lastAt!: Date;
}
