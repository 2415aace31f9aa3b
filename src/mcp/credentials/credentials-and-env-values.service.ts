import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { type DataSource, In, Repository } from 'typeorm';
import { Settings } from '../../platform/config/settings.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { Encryption } from '../../platform/encryption/encryption.service.js';
import { type FieldError, Problem, ValidationFailed } from '../../platform/http/problem.js';
import { textError } from '../../platform/http/text-and-instant-rules.js';
import type { CatalogEntry, EnvironmentVariable } from '../catalog/catalog-entry.js';
import { CatalogService } from '../catalog/catalog.service.js';
import {
  agentPathError,
  hostPathError,
  lastingPart,
  missingPathError,
  missingVariables,
  valueError,
} from '../catalog/variable-values-and-placeholders.js';
import { SignInNeededService } from '../oauth/sign-in-needed-offered-and-revoked.service.js';
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

/** The unchecked `envValues` of a request, by name of the variable. */
export type EnvValues = Readonly<Record<string, unknown>>;

/** The changes that valid `envValues` ask for. */
export interface CredentialChanges {
  set: Record<string, string>;
  removed: string[];
}

/** The entries that may declare a variable: the installed entry first, then the catalogue's newer one. */
export type DeclaringEntries = readonly CatalogEntry[];

/**
 * Returns every error of `envValues`, each at the path `envValues.NAME` and never with a value (contract §3.3).
 * @param dataFolder the service's data folder, which no path may contain or lie in
 */
export async function changeErrors(
  entries: DeclaringEntries,
  envValues: EnvValues,
  dataFolder: string,
): Promise<FieldError[]> {
  const rows = await Promise.all(
    Object.entries(envValues).map(async ([name, value]) => {
      const message = await errorOf(entries, name, value, dataFolder);
      return message === null ? [] : [{ path: `envValues.${name}`, message }];
    }),
  );
  return rows.flat();
}

/** Returns an error for every required variable that the `envValues` of a new server leave out. */
export function omissionErrors(entry: CatalogEntry, envValues: EnvValues): FieldError[] {
  const missing = missingVariables(entry, Object.keys(envValues));
  return missing.map((name) => ({ path: `envValues.${name}`, message: 'is required' }));
}

/**
 * Returns every error of values that a request gives: those of `changeErrors`, and paths of this host (format filepath)
 * that are not there. A path that goes missing later is left to the server, which reports it itself.
 */
export async function givenValueErrors(
  entries: DeclaringEntries,
  envValues: EnvValues,
  dataFolder: string,
): Promise<FieldError[]> {
  const errors = await changeErrors(entries, envValues, dataFolder);
  const missing = await Promise.all(
    Object.entries(envValues).map(async ([name, value]) => {
      const path = `envValues.${name}`;
      const isPath = declarationOf(entries, name)?.variable.format === 'filepath';
      if (!isPath || typeof value !== 'string' || errors.some((error) => error.path === path)) return [];
      const message = await missingPathError(lastingPart(value));
      return message === null ? [] : [{ path, message }];
    }),
  );
  return [...errors, ...missing.flat()];
}

/** Returns the changes that valid `envValues` ask for. */
export function changesOf(envValues: EnvValues): CredentialChanges {
  const given = Object.entries(envValues);
  return {
    set: Object.fromEntries(given.filter((pair): pair is [string, string] => typeof pair[1] === 'string')),
    removed: given.filter(([, value]) => value === null).map(([name]) => name),
  };
}

/** Returns the values that must never be shown: all but those that an entry declares as not secret. */
export function secretsAmong(entries: DeclaringEntries, values: Readonly<Record<string, string>>): string[] {
  const isOpen = (name: string): boolean => {
    const declared = declarationOf(entries, name);
    return declared !== null && !declared.variable.isSecret && declared.variable.format !== 'file';
  };
  return Object.entries(values)
    .filter(([name]) => !isOpen(name))
    .map(([, value]) => value);
}

async function errorOf(
  entries: DeclaringEntries,
  name: string,
  value: unknown,
  dataFolder: string,
): Promise<string | null> {
  const declared = declarationOf(entries, name);
  if (!declared) return 'is not a variable of this server';
  const { entry, variable } = declared;
  if (value === null) return variable.isRequired ? 'is required and must not be null' : null;
  const error = (typeof value === 'string' ? textError(value) : null) ?? valueError(entry, variable, value);
  if (error !== null || variable.format !== 'filepath' || typeof value !== 'string') return error;
  return agentPathError(entry, value) ?? hostPathError(value, dataFolder);
}

function declarationOf(
  entries: DeclaringEntries,
  name: string,
): { entry: CatalogEntry; variable: EnvironmentVariable } | null {
  for (const entry of entries) {
    const variable = entry.environmentVariables.find((candidate) => candidate.name === name);
    if (variable) return { entry, variable };
  }
  return null;
}

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

/** 409: the server has as many sets, or bytes of values, as it may have. */
export class CredentialSetLimit extends Problem {
  constructor(limit: string) {
    super('credential_set_limit', `${limit} Delete sets that no agent uses.`);
  }
}

/** 409: the values of the set were deleted. */
export class CredentialsRevoked extends Problem {
  constructor(name: string) {
    super(
      'credentials_revoked',
      `The credential set '${name}' was revoked: enter new values, or name another set in the grants.`,
    );
  }
}
