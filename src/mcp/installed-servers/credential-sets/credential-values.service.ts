import { Injectable } from '@nestjs/common';
import { Settings } from '../../../platform/config/settings.js';
import { TransactionsService } from '../../../platform/database/transactions.service.js';
import { ValidationFailed } from '../../../platform/http/problem/problem.js';
import type { CatalogEntry } from '../../catalog/catalog-entry.js';
import { CatalogService } from '../../catalog/catalog.service.js';
import { changesOf, givenValueErrors, type EnvValues } from '../credentials/credential-changes.js';
import { CredentialsService } from '../credentials/credentials.service.js';
import type { InstalledServerRow } from '../installed-server-row.js';
import { InstalledServersRepository } from '../installed-servers.repository.js';
import { SignInStatesService } from '../oauth/sign-in-states.service.js';
import { ProcessControlService } from '../running/process-control.service.js';
import { DEFAULT_SET, type CredentialSetRow } from './credential-set-row.js';
import { CredentialSetLimit } from './credential-sets.errors.js';
import { CredentialSetsRepository } from './credential-sets.repository.js';

/** Of the sealed values of all sets of a server. */
const MOST_BYTES = 4 * 2 ** 20;

/** Changes the values of credential sets, whether by the route of the server or of the set. */
@Injectable()
export class CredentialValuesService {
  constructor(
    private readonly servers: InstalledServersRepository,
    private readonly sets: CredentialSetsRepository,
    private readonly catalog: CatalogService,
    private readonly credentials: CredentialsService,
    private readonly signIns: SignInStatesService,
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
