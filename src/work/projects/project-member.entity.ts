import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Agent } from '../../agents/agent.entity.js';
import type { Role } from '../../platform/authentication/principal.js';
import { User } from '../../platform/authentication/user.entity.js';
import { Project } from './project.entity.js';

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
