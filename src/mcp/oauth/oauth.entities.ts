import { Check, Column, Entity, ForeignKey, Index, PrimaryColumn } from 'typeorm';
import { Session, User } from '../../platform/authentication/authentication.entities.js';
import { CredentialSet } from '../server-records/server-records.entities.js';

/** A sealed token of a set of credentials. */
@Entity('oauth_tokens')
@Check('oauth_tokens_claim_whole', '((claim IS NULL) = (claimed_until IS NULL))')
@Check(
  'oauth_tokens_token_whole',
  '(num_nulls(sealed, token_id, process_revision, usable_until) = ANY (ARRAY[0, 4]))',
)
export class OauthToken {
  @ForeignKey(() => CredentialSet, { name: 'oauth_tokens_set_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'credential_set_id', primaryKeyConstraintName: 'oauth_tokens_pk' })
  credentialSetId!: string;

  @PrimaryColumn({ type: 'text', default: 'token', primaryKeyConstraintName: 'oauth_tokens_pk' })
  name!: string;

  @Column({ type: 'text', nullable: true })
  sealed!: string | null;

  @Column({ type: 'uuid', name: 'token_id', nullable: true })
  tokenId!: string | null;

  @Column({ type: 'text', name: 'process_revision', nullable: true })
  processRevision!: string | null;

  @Column({ type: 'timestamptz', name: 'usable_until', precision: 3, nullable: true })
  usableUntil!: Date | null;

  @Column({ type: 'uuid', nullable: true })
  claim!: string | null;

  @Column({ type: 'timestamptz', name: 'claimed_until', precision: 3, nullable: true })
  claimedUntil!: Date | null;
}

/** A sign-in to a remote server, by which tokens are renewed. */
@Entity('oauth_grants')
@Index('oauth_grants_user', ['grantedBy'], { where: '(granted_by IS NOT NULL)' })
export class OauthGrant {
  @ForeignKey(() => CredentialSet, { name: 'oauth_grants_set_fk', onDelete: 'CASCADE' })
  @PrimaryColumn({ type: 'uuid', name: 'credential_set_id', primaryKeyConstraintName: 'oauth_grants_pk' })
  credentialSetId!: string;

  @Column({ type: 'uuid' })
  version!: string;

  @Column({ type: 'text' })
  issuer!: string;

  @Column({ type: 'text', nullable: true })
  scope!: string | null;

  @ForeignKey(() => User, { name: 'oauth_grants_user_fk', onDelete: 'SET NULL' })
  @Column({ type: 'uuid', name: 'granted_by', nullable: true })
  grantedBy!: string | null;

  @Column({ type: 'timestamptz', name: 'granted_at', precision: 3, default: () => 'now()' })
  grantedAt!: Date;

  @Column({ type: 'text' })
  sealed!: string;
}

/** What the service registered as at an authorization server. */
@Entity('oauth_clients')
export class OauthClient {
  @PrimaryColumn({ type: 'text', primaryKeyConstraintName: 'oauth_clients_pk' })
  issuer!: string;

  @PrimaryColumn({ type: 'text', name: 'redirect_uri', primaryKeyConstraintName: 'oauth_clients_pk' })
  redirectUri!: string;

  @Column({ type: 'text' })
  sealed!: string;

  @Column({ type: 'timestamptz', name: 'expires_at', precision: 3, nullable: true })
  expiresAt!: Date | null;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;
}

/** A sign-in that has begun at an authorization server and has not come back. */
@Entity('oauth_sign_ins')
@Index('oauth_sign_ins_created', ['createdAt'])
@Index('oauth_sign_ins_session', ['sessionId'], { where: '(session_id IS NOT NULL)' })
@Index('oauth_sign_ins_set', ['credentialSetId', 'createdAt'])
@Index('oauth_sign_ins_user', ['userId'])
export class OauthSignIn {
  @PrimaryColumn({ type: 'bytea', name: 'state_hash', primaryKeyConstraintName: 'oauth_sign_ins_pk' })
  stateHash!: Buffer;

  @ForeignKey(() => CredentialSet, { name: 'oauth_sign_ins_set_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'credential_set_id' })
  credentialSetId!: string;

  @ForeignKey(() => User, { name: 'oauth_sign_ins_user_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'user_id' })
  userId!: string;

  @ForeignKey(() => Session, { name: 'oauth_sign_ins_session_fk', onDelete: 'CASCADE' })
  @Column({ type: 'uuid', name: 'session_id', nullable: true })
  sessionId!: string | null;

  @Column({ type: 'text', name: 'return_to' })
  returnTo!: string;

  @Column({ type: 'text' })
  sealed!: string;

  @Column({ type: 'timestamptz', name: 'created_at', precision: 3, default: () => 'now()' })
  createdAt!: Date;

  @Column({ type: 'timestamptz', name: 'used_at', precision: 3, nullable: true })
  usedAt!: Date | null;
}

/**
 * What each sealed value of sign-ins at servers is bound to (contract §3.3): a value does not open in another row.
 * `npm run keys -- rotate` knows the same contexts (scripts/keys/sealed-database.mjs).
 */
export function tokenContext(credentialSetId: string): string {
  return `oauth|${credentialSetId}|token`;
}

export function grantContext(credentialSetId: string): string {
  return `oauth|${credentialSetId}|grant`;
}

export function signInContext(credentialSetId: string, stateHash: Buffer): string {
  return `oauth_sign_in|${credentialSetId}|${stateHash.toString('hex')}`;
}

export function clientContext(issuer: string, redirectUri: string): string {
  return `oauth_client|${issuer}|${redirectUri}`;
}
