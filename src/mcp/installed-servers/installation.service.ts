import { Injectable, Logger } from '@nestjs/common';
import { v7 as uuidv7 } from 'uuid';
import { Settings } from '../../platform/config/settings.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { SecretRegister } from '../../platform/encryption/masking.js';
import { Problem, ValidationFailed } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import type { CatalogEntry } from '../catalog/catalog-entry.js';
import { CatalogService } from '../catalog/catalog.service.js';
import {
  refuseUnlessInstallable,
  refuseUnlessReviewed,
} from '../catalog/installability-and-runtime-detection.js';
import {
  changesOf,
  CredentialsService,
  type EnvValues,
  givenValueErrors,
  omissionErrors,
  secretsAmong,
} from '../credentials/credentials-and-env-values.service.js';
import { SignInNeededService } from '../oauth/sign-in-needed-offered-and-revoked.service.js';
import { PackageInstaller } from '../packages/package-installer.js';
import { changedLimits, type ServerLimits } from '../processes/server-description-and-limits.js';
import { RuntimeService } from '../runtime/runtime.service.js';
import { CancellableWorkService } from '../server-processes/process-control-and-work.service.js';
import { InstalledServerRepository } from '../server-records/installed-server.repository.js';
import { ToolsHostsClient } from '../tools-hosts/tools-hosts-and-internal-keys.client.js';
import type { InstallServerRequest } from './installed-server.dto.js';

/** Longest name in code points (contract §1). */
const MAX_NAME_LENGTH = 200;

/** Longest slug (contract §3.3): every advertised tool name starts with it and has 48 characters in all. */
const MAX_SLUG_LENGTH = 16;

/** The slug of the platform's own tools, which no server gets. */
const RESERVED_SLUG = 'platform';

/** Returns the name of an entry, or `NAME 2`, `NAME 3` and so on where that is taken (contract §3.3). */
export function freeName(entryName: string, taken: ReadonlySet<string>): string {
  let name = entryName;
  for (let number = 2; taken.has(name); number += 1) {
    const ending = ` ${number}`;
    name = [...entryName].slice(0, MAX_NAME_LENGTH - ending.length).join('') + ending;
  }
  return name;
}

/**
 * Returns the slug of a server whose first name is `name`: `^[a-z0-9]+(-[a-z0-9]+)*$`, at most 16 characters in whole
 * words, numbered from 2 where it is taken, and never `platform` (contract §3.3).
 */
export function slugOf(name: string, taken: ReadonlySet<string>): string {
  const base = cut(hyphenated(name), MAX_SLUG_LENGTH) || 'server';
  let slug = base;
  for (let number = 2; taken.has(slug) || slug === RESERVED_SLUG; number += 1) {
    const ending = `-${number}`;
    slug = cut(base, MAX_SLUG_LENGTH - ending.length) + ending;
  }
  return slug;
}

/** Strips the accents from letters, then replaces every run of other characters by one hyphen. */
function hyphenated(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-');
}

/** Keeps as many whole words as fit. A first word that is longer by itself is cut, because something has to remain. */
function cut(text: string, length: number): string {
  const words = text.replace(/^-+|-+$/g, '');
  const end = words.length > length ? words.lastIndexOf('-', length) : words.length;
  return words.slice(0, end > 0 ? end : length);
}

/** A server whose package has been fetched; `name` null takes the entry's name. */
interface NewServer {
  id: string;
  entry: CatalogEntry;
  packageLock: string | null;
  name: string | null;
  values: Record<string, string>;
  limits: ServerLimits;
}

/**
 * Installs servers. It makes every check first, then fetches the package, and only then stores the server, so that a
 * failed fetch or a crash leaves no row behind (contract §3.3).
 */
@Injectable()
export class InstallationService {
  private readonly log = new Logger(InstallationService.name);

  constructor(
    private readonly catalog: CatalogService,
    private readonly runtimes: RuntimeService,
    private readonly packages: PackageInstaller,
    private readonly servers: InstalledServerRepository,
    private readonly credentials: CredentialsService,
    private readonly signIns: SignInNeededService,
    private readonly work: CancellableWorkService,
    private readonly secrets: SecretRegister,
    private readonly settings: Settings,
    private readonly hosts: ToolsHostsClient,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /** @returns the id of the new server, which is enabled and granted to no agent */
  async install(request: InstallServerRequest): Promise<string> {
    if (this.hosts.isNeeded) return this.hosts.askForPerson(uuidv7(), 'install', request);
    return this.installHere(request);
  }

  private async installHere({
    catalogId,
    envValues = {},
    name,
    limits = {},
  }: InstallServerRequest): Promise<string> {
    const entry = this.catalog.get(catalogId);
    if (!entry) throw new UnknownCatalogEntry();
    await this.refuseValues(entry, envValues);
    // So that no package is fetched in vain; `store` decides.
    if (name !== undefined && (await this.servers.existsBy({ name }))) throw new ServerNameTaken(name);
    refuseUnlessReviewed(entry, this.settings);
    refuseUnlessInstallable(entry, await this.runtimes.report());

    const id = uuidv7();
    const changes = changesOf(envValues);
    this.secrets.set(id, secretsAmong([entry], changes.set));
    try {
      const packageLock = await this.work.run(id, (ended) => this.fetch(id, entry, ended));
      await this.store({
        ...{ id, entry, packageLock, name: name ?? null, values: changes.set },
        limits: changedLimits({}, limits),
      });
      return id;
    } catch (error) {
      await this.packages.remove(id);
      this.secrets.delete(id);
      throw error;
    }
  }

  private async refuseValues(entry: CatalogEntry, envValues: EnvValues): Promise<void> {
    const errors = [
      ...omissionErrors(entry, envValues),
      ...(await givenValueErrors([entry], envValues, this.settings.dataDir)),
    ];
    if (errors.length > 0) throw new ValidationFailed(errors);
  }

  private async fetch(serverId: string, entry: CatalogEntry, ended: AbortSignal): Promise<string | null> {
    if (entry.transport !== 'stdio') return null;
    const log = (line: string): void => this.log.log(`Package of server ${serverId}: ${line}`);
    return (await this.packages.install({ serverId, entry, log }, ended)).lock;
  }

  /** Stores row, sealed values and journal entry in one transaction. @throws {ServerNameTaken} */
  private async store({ id, entry, packageLock, name: wanted, values, limits }: NewServer): Promise<void> {
    await this.transactions.run(async () => {
      const taken = await this.servers.holdNames();
      if (wanted !== null && taken.names.has(wanted)) throw new ServerNameTaken(wanted);
      const name = wanted ?? freeName(entry.name, taken.names);
      const slug = slugOf(name, taken.slugs);
      await this.servers.insert({
        id,
        name,
        slug,
        catalogId: entry.id,
        entry: entry as object,
        status: 'enabled',
        packageLock,
        limits,
      });
      await this.credentials.apply(id, { set: values, removed: [] });
      await this.journal.record({
        type: 'mcp.server.installed',
        subject: { type: 'server', id },
        data: {
          name,
          slug,
          catalogId: entry.id,
          version: entry.version,
          envValues: { set: Object.keys(values) },
          ...(Object.keys(limits).length > 0 && { limits }),
        },
      });
      await this.signIns.demand({ id, status: 'ready' }, entry);
    });
  }
}

export class ServerNameTaken extends Problem {
  constructor(name: string) {
    super('name_taken', `Another installed server is called '${name}'; choose another name.`);
  }
}

export class UnknownCatalogEntry extends ValidationFailed {
  constructor() {
    super([
      {
        path: 'catalogId',
        message: 'names no entry of the catalogue; GET /api/mcp/catalog lists the entries',
      },
    ]);
  }
}
