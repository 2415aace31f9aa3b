import { Check, Column, Entity, ForeignKey, PrimaryColumn, Unique } from 'typeorm';

/** An installed MCP server. */
@Entity('installed_servers')
@Unique('installed_servers_name_unique', ['name'])
@Unique('installed_servers_slug_unique', ['slug'])
@Check('installed_servers_limits_form', `(jsonb_typeof(limits) = 'object'::text)`)
@Check('installed_servers_slug_form', `((slug ~ '^[a-z0-9]+(-[a-z0-9]+)*$'::text) AND (length(slug) <= 16))`)
@Check(
  'installed_servers_status_known',
  `(status = ANY (ARRAY['enabled'::text, 'disabled'::text, 'error'::text]))`,
)
export class InstalledServer {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'installed_servers_pk' })
  id!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text' })
  slug!: string;

  @Column({ type: 'text', name: 'catalog_id' })
  catalogId!: string;

  @Column({ type: 'jsonb' })
  entry!: unknown;

  @Column({ type: 'text' })
  status!: string;

  @Column({ type: 'text', name: 'status_reason', nullable: true })
  statusReason!: string | null;

  @Column({ type: 'jsonb', name: 'last_verification', nullable: true })
  lastVerification!: unknown;

  @Column({ type: 'jsonb', name: 'era_verdict', nullable: true })
  eraVerdict!: unknown;

  @Column({ type: 'timestamptz', name: 'tools_listed_at', precision: 3, nullable: true })
  toolsListedAt!: Date | null;

  @Column({ type: 'integer', default: 1 })
  revision!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;

  @Column({ type: 'text', name: 'package_lock', nullable: true })
  packageLock!: string | null;

  @Column({ type: 'jsonb', default: {} as never })
  limits!: unknown;
}

/** The credentials of a server under a name; each server has the set `default`, under its own id. */
@Entity('credential_sets')
@Unique('credential_sets_name_unique', ['serverId', 'name'])
@Unique('credential_sets_of_server', ['serverId', 'id'])
@Check('credential_sets_default_id', `((id = server_id) = (name = 'default'::text))`)
@Check(
  'credential_sets_status_known',
  `(status = ANY (ARRAY['ready'::text, 'error'::text, 'revoked'::text, 'sign_in_needed'::text]))`,
)
export class CredentialSet {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'credential_sets_pk' })
  id!: string;

  @ForeignKey(() => InstalledServer, { name: 'credential_sets_server_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'server_id' })
  serverId!: string;

  @Column({ type: 'text' })
  name!: string;

  @Column({ type: 'text', default: 'ready' })
  status!: string;

  @Column({ type: 'text', name: 'status_reason', nullable: true })
  statusReason!: string | null;

  @Column({ type: 'integer', default: 1 })
  revision!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}
