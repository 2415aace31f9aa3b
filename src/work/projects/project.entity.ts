import { Check, Column, Entity, PrimaryColumn, Unique } from 'typeorm';

export const visibilities = ['open', 'members'] as const;
export type ProjectVisibility = (typeof visibilities)[number];

/** To whom agents may assign the issues that they create (contract §4.1). */
export const assignmentRules = ['any', 'self'] as const;
export type AssignmentRule = (typeof assignmentRules)[number];

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
  visibility!: ProjectVisibility;

  @Column({ type: 'integer', name: 'last_issue_number', default: 0 })
  lastIssueNumber!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;

  @Column({ type: 'text', name: 'agents_may_assign', default: 'any' })
  agentsMayAssign!: AssignmentRule;
}
