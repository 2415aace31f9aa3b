import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn, Unique } from 'typeorm';
import { Agent } from '../../agents/agent.entity.js';
import { CredentialSet, InstalledServer } from '../server-records/server-records.entities.js';

/** The tools of a grant whose calls need the approval of a person: all that may write, or these; null for none. */
export type AskedTools = 'writes' | string[] | null;

/** The least role in the project of a person who approves calls. */
export const approverRoles = ['Editor', 'Admin'] as const;
export type ApproverRole = (typeof approverRoles)[number];

/** The grant of a server to an agent. */
@Entity('server_access')
@Index('server_access_agent', ['agentId'])
@Index('server_access_credential_set', ['serverId', 'credentialSetId'], {
  where: '(credential_set_id IS NOT NULL)',
})
@Check('server_access_approver_role_known', `(approver_role = ANY (ARRAY['Editor'::text, 'Admin'::text]))`)
@Check('server_access_ask_known', `((ask = '"writes"'::jsonb) OR (jsonb_typeof(ask) = 'array'::text))`)
@ForeignKey(() => CredentialSet, ['serverId', 'credentialSetId'], ['serverId', 'id'], {
  name: 'server_access_credential_set_fk',
})
export class ServerAccess {
  @ForeignKey(() => InstalledServer, { name: 'server_access_server_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'server_id', primaryKeyConstraintName: 'server_access_pk' })
  serverId!: string;

  @ForeignKey(() => Agent, { name: 'server_access_agent_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'agent_id', primaryKeyConstraintName: 'server_access_pk' })
  agentId!: string;

  @Column({ type: 'text', array: true, nullable: true })
  tools!: string[] | null;

  @Column({ type: 'timestamptz', name: 'granted_at', precision: 3, default: () => 'now()' })
  grantedAt!: Date;

  @Column({ type: 'jsonb', nullable: true })
  ask!: AskedTools;

  @Column({ type: 'text', name: 'approver_role', default: 'Editor' })
  approverRole!: ApproverRole;

  @Column({ type: 'uuid', name: 'credential_set_id', nullable: true })
  credentialSetId!: string | null;
}

/** Servers that agents get together. */
@Entity('access_profiles')
@Unique('access_profiles_name_unique', ['name'])
export class AccessProfile {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'access_profiles_pk' })
  id!: string;

  @Column({ type: 'text', collation: 'C' })
  name!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;

  @Column({ type: 'integer', default: 1 })
  version!: number;
}

/** A server in a profile. */
@Entity('access_profile_entries')
@Index('access_profile_entries_server', ['serverId'])
@Check(
  'access_profile_entries_ask_known',
  `((ask = '"writes"'::jsonb) OR (jsonb_typeof(ask) = 'array'::text))`,
)
@ForeignKey(() => CredentialSet, ['serverId', 'credentialSetId'], ['serverId', 'id'], {
  name: 'access_profile_entries_credential_set_fk',
})
export class AccessProfileEntry {
  @ForeignKey(() => AccessProfile, { name: 'access_profile_entries_profile_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'profile_id', primaryKeyConstraintName: 'access_profile_entries_pk' })
  profileId!: string;

  @ForeignKey(() => InstalledServer, { name: 'access_profile_entries_server_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'server_id', primaryKeyConstraintName: 'access_profile_entries_pk' })
  serverId!: string;

  @Column({ type: 'text', array: true, nullable: true })
  tools!: string[] | null;

  @Column({ type: 'jsonb', nullable: true })
  ask!: AskedTools;

  @Column({ type: 'uuid', name: 'credential_set_id', nullable: true })
  credentialSetId!: string | null;

  @Column({ type: 'timestamptz', name: 'granted_at', precision: 3, default: () => 'now()' })
  grantedAt!: Date;
}

/** An agent that has a profile. */
@Entity('access_profile_agents')
@Index('access_profile_agents_profile', ['profileId'])
export class AccessProfileAgent {
  @ForeignKey(() => Agent, { name: 'access_profile_agents_agent_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'agent_id', primaryKeyConstraintName: 'access_profile_agents_pk' })
  agentId!: string;

  @ForeignKey(() => AccessProfile, { name: 'access_profile_agents_profile_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'profile_id', primaryKeyConstraintName: 'access_profile_agents_pk' })
  profileId!: string;

  @Column({ type: 'timestamptz', name: 'added_at', precision: 3, default: () => 'now()' })
  addedAt!: Date;
}

/** An agent that does not get a server, whatever its profiles say. */
@Entity('access_refusals')
@Index('access_refusals_server', ['serverId'])
export class AccessRefusal {
  @ForeignKey(() => Agent, { name: 'access_refusals_agent_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'agent_id', primaryKeyConstraintName: 'access_refusals_pk' })
  agentId!: string;

  @ForeignKey(() => InstalledServer, { name: 'access_refusals_server_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'server_id', primaryKeyConstraintName: 'access_refusals_pk' })
  serverId!: string;
}
