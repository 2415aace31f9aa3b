import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type DataSource, In, Repository } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { Encryption } from '../../platform/encryption/encryption.service.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import type { CatalogEntry } from '../catalog/catalog-entry.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { SignInNeededService } from '../oauth/sign-in-needed.service.js';
import { ProcessControlService } from '../server-processes/process-control-and-work.service.js';
import {
  CredentialSetRepository,
  type CredentialSetRow,
} from '../server-records/credential-set.repository.js';
import {
  InstalledServerRepository,
  type InstalledServerRow,
} from '../server-records/installed-server.repository.js';
import { DEFAULT_SET, ServerCredential } from '../server-records/server-records.entities.js';
import { changesOf, type CredentialChanges, type EnvValues, givenValueErrors } from './credential-changes.js';
import { CredentialSetLimit } from './credentials.errors.js';

const SEALED_TABLES = [
  'server_credentials',
  'webhook_secrets',
  'gate_arguments',
  'oauth_tokens',
  'oauth_clients',
  'oauth_sign_ins',
  'oauth_grants',
];

/**
 * SQL: one read of many tables. Returns whether this database holds any sealed value, including secrets of webhooks, arguments
 * of calls and sign-ins.
 */
export async function holdsSealedValues(source: DataSource): Promise<boolean> {
  const sealed = SEALED_TABLES.map((table) => `SELECT 1 FROM ${table} WHERE sealed IS NOT NULL`);
  return (await source.query<object[]>(`${sealed.join(' UNION ALL ')} LIMIT 1`)).length > 0;
}

/**
 * Stores the values of servers' variables. They are sealed before they are stored and opened right before a server is
 * called. The seal is bound to credential set and variable, so that a value moved to another row cannot be opened
 * (contract §3.3).
 */
@Injectable()
export class CredentialsService {
  constructor(
    @InjectRepository(ServerCredential) private readonly stored: Repository<ServerCredential>,
    private readonly encryption: Encryption,
  ) {}

  /** @param setId the credential set; the set `default` has the id of its server */
  async apply(setId: string, { set, removed }: CredentialChanges): Promise<void> {
    const values = Object.entries(set).map(([name, value]) => ({
      serverId: setId,
      name,
      sealed: this.encryption.seal(value, contextOf(setId, name)),
    }));
    if (values.length > 0) await this.stored.upsert(values, ['serverId', 'name']);
    if (removed.length > 0) await this.stored.delete({ serverId: setId, name: In(removed) });
  }

  /** @throws {SealBroken} when a value was moved, or sealed with a key that the key ring lacks */
  open(setId: string, sealed: Readonly<Record<string, string>>): Record<string, string> {
    const opened = Object.entries(sealed).map(([name, value]) => [
      name,
      this.encryption.open(value, contextOf(setId, name)),
    ]);
    return Object.fromEntries(opened);
  }
}

function contextOf(setId: string, name: string): string {
  return `mcp_env|${setId}|${name}`;
}

/** Of the sealed values of all sets of a server. */
const MOST_BYTES = 4 * 2 ** 20;

/** Changes the values of credential sets, whether by the route of the server or of the set. */
@Injectable()
export class CredentialValuesService {
  constructor(
    private readonly servers: InstalledServerRepository,
    private readonly sets: CredentialSetRepository,
    private readonly catalog: CatalogService,
    private readonly credentials: CredentialsService,
    private readonly signIns: SignInNeededService,
    private readonly processes: ProcessControlService,
    private readonly transactions: TransactionsService,
    private readonly settings: Settings,
  ) {}

  /**
   * A value may be set in advance for a variable that only the catalogue's newer version declares: an upgrade needs it.
   * @throws {ValidationFailed}
   */
  async refuse({ entry, catalogId }: InstalledServerRow, envValues: EnvValues): Promise<void> {
    const inCatalog = this.catalog.get(catalogId);
    const entries = inCatalog ? [entry, inCatalog] : [entry];
    const errors = await givenValueErrors(entries, envValues, this.settings.dataDir);
    if (errors.length > 0) throw new ValidationFailed(errors);
  }

  /**
   * Merges values into a set whose server is locked; its live connections are replaced by ones with the new values.
   * Returns what the journal records of the change: names, never a value.
   */
  async apply(set: CredentialSetRow, envValues: EnvValues, entry: CatalogEntry): Promise<object> {
    const { id, name, serverId, configuredEnv } = set;
    const changes = changesOf(envValues);
    const given = Object.keys(changes.set);
    const removed = changes.removed.filter((variable) => configuredEnv.includes(variable));
    if (given.length + removed.length === 0) return {};
    await this.credentials.apply(id, { set: changes.set, removed });
    if ((await this.sets.sizeOf(serverId)).bytes > MOST_BYTES)
      throw new CredentialSetLimit(`The sealed values of a server may have ${MOST_BYTES} bytes together.`);
    if (name === DEFAULT_SET) await this.servers.reviseCredentials(id);
    await this.tryAgain({ id, serverId });
    await this.signIns.demand(set, entry, [...given, ...removed]);
    return { envValues: { set: given, removed } };
  }

  /** Starts a new revision of a set: what is known of the old one, crashes for instance, is forgotten. */
  async tryAgain({ id, serverId }: Pick<CredentialSetRow, 'id' | 'serverId'>): Promise<void> {
    await this.sets.revise(id);
    this.transactions.afterCommit(() => this.processes.replace(serverId, { credentialSetId: id }));
  }
}
