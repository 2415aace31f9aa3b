import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';

/** A project. `lastIssueNumber` numbers its issues. */
@Entity('projects')
@Unique('projects_key_unique', ['key'])
@Check('projects_agents_may_assign', `(agents_may_assign = ANY (ARRAY['any'::text, 'self'::text]))`)
@Check('projects_key_form', `(key ~ '^[A-Z][A-Z0-9]{1,9}$'::text)`)
@Check('projects_visibility_known', `(visibility = ANY (ARRAY['open'::text, 'members'::text]))`)
export class Project {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'projects_pk' })
  id!: string;

  @Column({ type: 'text' })
  key!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', default: '' })
  description!: string;

  @Column({ type: 'text', default: 'open' })
  visibility!: string;

  @Column({ type: 'integer', name: 'last_issue_number', default: 0 })
  lastIssueNumber!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;

  @Column({ type: 'text', name: 'agents_may_assign', default: 'any' })
  agentsMayAssign!: string;
}
