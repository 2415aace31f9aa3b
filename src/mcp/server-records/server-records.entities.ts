import {
  Check,
  Column,
  Entity,
  ForeignKey,
  Index,
  PrimaryColumn,
  PrimaryGeneratedColumn,
  Unique,
} from 'typeorm';
import type { Actor } from '../../platform/journal/journal.service.js';
import type { CatalogEntry } from '../catalog/catalog-entry.js';
import type { EraVerdict, ServerLimits } from '../processes/server-description-and-limits.js';
import type { ServerLogLine } from '../processes/supervision/stderr-ring.js';
import type { DefinitionWarning } from './definition-rules-and-warnings.js';
import type { ListedTool } from './tool-definition.js';

export const serverStatuses = ['enabled', 'disabled', 'error'] as const;
export type ServerStatus = (typeof serverStatuses)[number];

/** An MCP server that was installed from the catalogue. Its credentials and tools have tables of their own. */
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

  /** The prefix of its tools' names; it never changes. */
  @Column({ type: 'text' })
  slug!: string;

  @Column({ type: 'text', name: 'catalog_id' })
  catalogId!: string;

  /** The catalogue's entry as it was when the server was installed or upgraded. */
  @Column({ type: 'jsonb' })
  entry!: CatalogEntry;

  @Column({ type: 'text' })
  status!: ServerStatus;

  @Column({ type: 'text', name: 'status_reason', nullable: true })
  statusReason!: string | null;

  @Column({ type: 'jsonb', name: 'last_verification', nullable: true })
  lastVerification!: StoredVerification | null;

  /** The protocol era that this revision was found to speak; it is not kept across credentials. */
  @Column({ type: 'jsonb', name: 'era_verdict', nullable: true })
  eraVerdict!: EraVerdict | null;

  /** When its tools were first listed, and approved as they were; null until then. */
  @Column({ type: 'timestamptz', name: 'tools_listed_at', precision: 3, nullable: true })
  toolsListedAt!: Date | null;

  /** Grows with credentials, limits and entry. Work that began with an older revision is void. */
  @Column({ type: 'integer', default: 1 })
  revision!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;

  /** It is long, so rows leave it out. */
  @Column({ type: 'text', name: 'package_lock', nullable: true })
  packageLock!: string | null;

  /** In place of those of the entry and of the service. */
  @Column({ type: 'jsonb', default: {} as never })
  limits!: ServerLimits;
}

/** The set that every server has. Its id is the id of its server. */
export const DEFAULT_SET = 'default';

/** Returns the id of the set `default` of a server: it is that of the server. */
export const defaultSetOf = (serverId: string): string => serverId;

/**
 * Why an enabled server cannot be used with a set: a person has to sign in, the server crashed too often, or the set was
 * revoked.
 */
export type CredentialSetStatus = 'ready' | 'sign_in_needed' | 'error' | 'revoked';

/** Values of the variables of one server, for the agents whose grant names the set (contract §3.5). */
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
  status!: CredentialSetStatus;

  @Column({ type: 'text', name: 'status_reason', nullable: true })
  statusReason!: string | null;

  /** Grows with its values, and with the entry and the limits of its server. */
  @Column({ type: 'integer', default: 1 })
  revision!: number;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'updated_at', precision: 3, default: () => 'now()' })
  updatedAt!: Date;
}

/** A sealed value by credential set and variable. `serverId` is the id of a set (contract §3.5). */
@Entity('server_credentials')
export class ServerCredential {
  @ForeignKey(() => CredentialSet, { name: 'server_credentials_server_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'server_id', primaryKeyConstraintName: 'server_credentials_pk' })
  serverId!: string;

  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'server_credentials_pk' })
  name!: string;

  @Column({ type: 'text' })
  sealed!: string;
}

/** The phases of a verification in order; one that fails ends in one of the first five (contract §3.3). */
export const verificationPhases = ['runtime', 'package', 'spawn', 'handshake', 'list', 'done'] as const;
export type VerificationPhase = (typeof verificationPhases)[number];

/** The steps that every verification shows, in order; `credentials` is the credential probe. */
export const verificationSteps = ['runtime', 'package', 'spawn', 'handshake', 'list', 'credentials'] as const;
export type VerificationStep = (typeof verificationSteps)[number];

/** One step of a verification. A step that was not reached, or that the server does not need, is skipped. */
export interface StepResult {
  phase: VerificationStep;
  status: 'ok' | 'failed' | 'skipped';
  /** Null where the step was skipped. */
  ms: number | null;
  /** What was found, or why it failed. */
  detail: string | null;
}

/** A handshake proves nothing about a key: only the entry's credential probe, or a 401 or 403, does. */
export const credentialStates = ['accepted', 'refused', 'unchecked'] as const;
export type CredentialState = (typeof credentialStates)[number];

/** The result that POST …/verify returns. The server's texts in it are masked and can be stored. */
export interface Verification {
  status: 'ok' | 'error';
  /** For people: the response time on success, the reason on failure. */
  details: string;
  /** Names of the tools; absent on failure. */
  capabilities?: string[];
  /** The phase in which it ended. */
  phase: VerificationPhase;
  /** Empty in a verification of an earlier version of the service. */
  phases: StepResult[];
  latencyMs: number;
  protocolVersion: string | null;
  serverInfo: { name: string; version: string } | null;
  credentials: CredentialState;
  /** What is odd in what the server lists; absent in a verification of an earlier version of the service. */
  warnings?: DefinitionWarning[];
  /** The last lines of stderr, masked; absent on success. */
  stderrTail?: string;
}

/** A verification that was stored: when it ended, by the database's clock, and who started it. */
export interface VerificationRecord extends Verification {
  at: string;
  /** Null in a verification of an earlier version of the service. */
  by: Actor | null;
}

/**
 * The last verification with its time, ISO 8601 by the database's clock. `stale` is set when values of the server change
 * afterwards. One of an earlier version of the service has no steps, and does not say who started it.
 */
export type StoredVerification = Omit<VerificationRecord, 'phases' | 'at' | 'by'> &
  Partial<VerificationRecord> & { checkedAt: string; stale?: true };

/** The result of a verification with what is stored if it succeeds. */
export interface VerificationOutcome {
  verification: Verification;
  /** Null if the verification failed. */
  found: { tools: ListedTool[]; verdict: EraVerdict } | null;
}

/** The result of a verification, without the names of the tools, and who started it. */
@Entity('server_verifications')
@Index('server_verifications_of_server', { synchronize: false }) // DESC
export class ServerVerification {
  @PrimaryColumn({ type: 'uuid', primaryKeyConstraintName: 'server_verifications_pk' })
  id!: string;

  @ForeignKey(() => InstalledServer, { name: 'server_verifications_server_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'server_id' })
  serverId!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  at!: Date;

  @Column({ type: 'text', name: 'by_type' })
  byType!: Actor['type'];

  @Column({ type: 'uuid', name: 'by_id', nullable: true })
  byId!: string | null;

  @Column({ type: 'text', name: 'by_name' })
  byName!: string;

  @Column({ type: 'jsonb' })
  result!: Verification;
}

/** Lines that a server wrote to its standard error. */
@Entity('server_log_lines')
@Index('server_log_lines_of_server', { synchronize: false }) // DESC
export class ServerLogLines {
  @PrimaryGeneratedColumn('identity', {
    type: 'bigint',
    generatedIdentity: 'ALWAYS',
    primaryKeyConstraintName: 'server_log_lines_pk',
  })
  id!: string;

  @ForeignKey(() => InstalledServer, { name: 'server_log_lines_server_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'server_id' })
  serverId!: string;

  @Column({ type: 'text' })
  process!: string;

  @Column({ type: 'timestamptz', precision: 3, default: () => 'now()' })
  at!: Date;

  @Column({ type: 'json' })
  lines!: ServerLogLine[];
}

/** Lines of one server that one service process read. */
export type LogBatch = Pick<ServerLogLines, 'serverId' | 'lines'>;
