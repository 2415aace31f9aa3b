import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Agent } from '../../agents/agent.entity.js';
import type { Role } from '../../platform/authentication/principals-and-roles.js';
import { User } from '../../platform/authentication/authentication.entities.js';

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

/** A user or an agent in a project: one of the two ids is set. */
@Entity('project_members')
@Index('project_members_agent', ['agentId'], { where: '(agent_id IS NOT NULL)' })
@Index('project_members_user', ['userId'], { where: '(user_id IS NOT NULL)' })
@Unique('project_members_agent_unique', ['projectId', 'agentId'])
@Unique('project_members_user_unique', ['projectId', 'userId'])
@Check('project_members_one_member', '(num_nonnulls(user_id, agent_id) = 1)')
@Check(
  'project_members_role_known',
  `(role = ANY (ARRAY['Viewer'::text, 'Editor'::text, 'Admin'::text, 'Owner'::text]))`,
)
export class ProjectMember {
  @ForeignKey(() => Project, { name: 'project_members_project_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'project_id' })
  projectId!: string;

  @ForeignKey(() => User, { name: 'project_members_user_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'user_id', nullable: true })
  userId!: string | null;

  @ForeignKey(() => Agent, { name: 'project_members_agent_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'agent_id', nullable: true })
  agentId!: string | null;

  @Column({ type: 'text' })
  role!: Role;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @PrimaryColumn({
    type: 'uuid',
    default: () => 'gen_random_uuid()',
    primaryKeyConstraintName: 'project_members_pk',
  })
  id!: string;
}

/** The project that was deleted under this id; a trigger writes it. */
@Entity('deleted_projects')
@Check('deleted_projects_visibility_known', `(visibility = ANY (ARRAY['open'::text, 'members'::text]))`)
export class DeletedProject {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'deleted_projects_pk' })
  id!: string;

  @Column({ type: 'text' })
  visibility!: ProjectVisibility;

  @Column({ type: 'uuid', name: 'member_ids', array: true })
  memberIds!: string[];

  @Column({ type: 'timestamptz', name: 'deleted_at', precision: 3, default: () => 'now()' })
  deletedAt!: Date;
}

/** The issue that was deleted under this id; a trigger writes it. */
@Entity('deleted_issues')
export class DeletedIssue {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'deleted_issues_pk' })
  id!: string;

  @Column({ type: 'uuid', name: 'project_id' })
  projectId!: string;
}
