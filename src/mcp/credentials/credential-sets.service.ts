import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Repository } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';
import { isForeignKeyViolation } from '../../platform/database/postgres-errors.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { SecretRegister } from '../../platform/encryption/masking.js';
import { NotFound, Problem, ValidationFailed } from '../../platform/http/problem.js';
import { storableText } from '../../platform/http/text-and-instant-rules.js';
import type { EventType } from '../../platform/journal/event-types.js';
import { JournalService, SYSTEM } from '../../platform/journal/journal.service.js';
import type { CatalogEntry } from '../catalog/catalog-entry.js';
import { missingVariables } from '../catalog/variable-values-and-placeholders.js';
import { OauthGrantRepository } from '../oauth/oauth-sign-in-grant-and-client.repository.js';
import {
  demandsSignIn,
  GrantRevocationsService,
  SignInNeededService,
} from '../oauth/sign-in-needed-offered-and-revoked.service.js';
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
import {
  CredentialSetLimit,
  CredentialValuesService,
  type EnvValues,
  omissionErrors,
} from './credentials-and-env-values.service.js';

const MOST_SETS = 100;

/** A set with the server that it belongs to. */
export interface SetOfServer {
  set: CredentialSetRow;
  server: InstalledServerRow;
}

export const credentialSetStates = [
  'ready',
  'missing_variables',
  'sign_in_needed',
  'error',
  'revoked',
] as const;
export type CredentialSetState = (typeof credentialSetStates)[number];

/** Returns what an operator has to know about a set. */
export function stateOf(
  { status, configuredEnv }: CredentialSetRow,
  entry: CatalogEntry,
): CredentialSetState {
  if (status !== 'ready') return status;
  return missingVariables(entry, configuredEnv).length > 0 ? 'missing_variables' : 'ready';
}

/** Keeps the credential sets of servers (contract §3.5). No method returns a value. */
@Injectable()
export class CredentialSetsService {
  constructor(
    private readonly servers: InstalledServerRepository,
    private readonly sets: CredentialSetRepository,
    @InjectRepository(ServerCredential) private readonly stored: Repository<ServerCredential>,
    private readonly values: CredentialValuesService,
    private readonly grants: OauthGrantRepository,
    private readonly signIns: SignInNeededService,
    private readonly revocations: GrantRevocationsService,
    private readonly processes: ProcessControlService,
    private readonly secrets: SecretRegister,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  async list(serverId: string): Promise<SetOfServer[]> {
    const server = await this.servers.findById(serverId);
    if (!server) throw new NotFound();
    return (await this.sets.list(server.id)).map((set) => ({ set, server }));
  }

  async create(serverId: string, name: string, envValues: EnvValues): Promise<SetOfServer> {
    const server = await this.servers.findById(serverId);
    if (!server) throw new NotFound();
    const missing = omissionErrors(server.entry, envValues);
    if (missing.length > 0) throw new ValidationFailed(missing);
    await this.values.refuse(server, envValues);
    return this.transactions.run(async () => {
      await this.lock(server.id);
      if (await this.sets.findByName(server.id, name)) throw new CredentialSetNameTaken(name);
      if ((await this.sets.sizeOf(server.id)).sets >= MOST_SETS)
        throw new CredentialSetLimit(`A server may have ${MOST_SETS} credential sets.`);
      const id = uuidv7();
      await this.sets.insert({ id, serverId: server.id, name });
      const created = await this.locked(server.id, name);
      const change = await this.values.apply(created.set, envValues, server.entry);
      await this.signIns.demand(created.set, server.entry);
      await this.record('mcp.credentials.created', created.set, change);
      return this.locked(server.id, name);
    });
  }

  /** Merges values, as a change of the server does. Any change, also without a value, lets a failed set be tried again. */
  async change(serverId: string, name: string, envValues: EnvValues): Promise<SetOfServer> {
    const { set, server } = await this.find(serverId, name);
    await this.values.refuse(server, envValues);
    return this.transactions.run(async () => {
      await this.lock(server.id);
      const current = await this.locked(server.id, set.name);
      const change = await this.values.apply(current.set, envValues, server.entry);
      const mayWork = mayWorkNow(current);
      if (Object.keys(change).length === 0 && !mayWork) return current;
      if (current.set.status === 'sign_in_needed' && mayWork)
        await this.grants.delete({ credentialSetId: current.set.id });
      if (mayWork) await this.values.tryAgain(current.set);
      await this.record('mcp.credentials.updated', current.set, change);
      return this.locked(server.id, set.name);
    });
  }

  /**
   * Deletes the values of a set and ends its processes. Its grants stay, and calls of their agents are refused. Resolves
   * when the processes have ended.
   */
  async revoke(serverId: string, name: string): Promise<SetOfServer> {
    const revoked = await this.transactions.run(async () => {
      const { id } = await this.lock(serverId);
      const { set } = await this.locked(id, name);
      if (set.status !== 'revoked') {
        await this.signIns.end(set.id);
        await this.stored.delete({ serverId: set.id });
        await this.sets.revise(set.id, 'revoked');
        if (set.name === DEFAULT_SET) await this.servers.reviseCredentials(id);
        await this.record('mcp.credentials.revoked', set, {});
      }
      return this.locked(id, name);
    });
    await this.processes.stop(revoked.server.id, revokedReason(name), revoked.set.id);
    return revoked;
  }

  /** @throws {CredentialSetInUse} for `default`, and where a grant names the set */
  async remove(serverId: string, name: string): Promise<void> {
    const set = await this.transactions.run(async () => {
      const { id } = await this.lock(serverId);
      const found = (await this.locked(id, name)).set;
      if (name === DEFAULT_SET) throw CredentialSetInUse.byDefault();
      await this.revocations.revokeLater([found.id]);
      await this.delete(found);
      await this.record('mcp.credentials.deleted', found, {});
      return found;
    });
    await this.processes.removeCredentialSet(set.serverId, set.id);
    this.secrets.delete(set.id);
  }

  /** Marks a set with which the server crashes. The server and its other sets go on. */
  async fail(serverId: string, credentialSetId: string, given: string): Promise<void> {
    await this.transactions.run(async () => {
      const reason = storableText(given);
      const set = await this.sets.findById(credentialSetId);
      if (!set || !(await this.sets.mark(set.id, 'error', reason))) return;
      await this.journal.record({
        type: 'mcp.credentials.failed',
        subject: { type: 'server', id: serverId },
        data: { credentialSet: set.name, reason },
        actor: SYSTEM,
      });
    });
    await this.processes.stop(
      serverId,
      'The server crashed too often with these credentials. An admin must fix it.',
      credentialSetId,
    );
  }

  private async delete({ id, name }: CredentialSetRow): Promise<void> {
    try {
      await this.sets.delete({ id });
    } catch (error) {
      if (isForeignKeyViolation(error)) throw CredentialSetInUse.byGrants(name);
      throw error;
    }
  }

  private async find(serverId: string, name: string): Promise<SetOfServer> {
    const server = await this.servers.findById(serverId);
    const set = server && (await this.sets.findByName(server.id, name));
    if (!set) throw new NotFound();
    return { set, server };
  }

  private async lock(serverId: string): Promise<InstalledServerRow> {
    const server = await this.servers.lock(serverId);
    if (!server) throw new NotFound();
    return server;
  }

  /** Reads a set whose server is locked. */
  private locked(serverId: string, name: string): Promise<SetOfServer> {
    return this.find(serverId, name);
  }

  private async record(type: EventType, set: CredentialSetRow, data: object): Promise<void> {
    const subject = { type: 'server', id: set.serverId };
    await this.journal.record({ type, subject, data: { credentialSet: set.name, ...data } });
  }
}

/** Whether a failed set may work without new values: the cause may be gone. An entry that demands a sign-in has no other. */
function mayWorkNow({ set: { status }, server }: SetOfServer): boolean {
  return status === 'error' || (status === 'sign_in_needed' && !demandsSignIn(server.entry));
}

function revokedReason(name: string): string {
  return `The credentials "${name}" of the server were revoked by an admin. Continue without it, or ask an admin in a comment to enter new ones or to give you others.`;
}

export class CredentialSetNameTaken extends Problem {
  constructor(name: string) {
    super('name_taken', `The server has a credential set '${name}' already; choose another name.`);
  }
}

/** 409: the set is needed, so it cannot be deleted. */
export class CredentialSetInUse extends Problem {
  constructor(detail: string) {
    super('in_use', detail);
  }

  static byDefault(): CredentialSetInUse {
    return new CredentialSetInUse("Every server has the set 'default'. Revoke it, or delete the server.");
  }

  static byGrants(name: string): CredentialSetInUse {
    return new CredentialSetInUse(
      `Grants or profiles name the credential set '${name}': give them another set first, or revoke the set to end its use at once.`,
    );
  }
}
