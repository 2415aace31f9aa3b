import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/authentication/principal.js';
import { Settings } from '../../platform/config/settings.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { Problem } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import type { CatalogEntry } from '../catalog/catalog-entry.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { entryFolder, storeEntry } from '../catalog/entry-file.js';
import { entryOfPackage, programPath } from '../catalog/entry-of-package.js';
import { parseEntry } from '../catalog/load-catalog.js';
import { ImportError } from '../catalog/server-json.js';
import { NpmPackageReader } from '../packages/npm-package-reader.js';
import type { ImportPackageRequest } from './package-import.dto.js';

/** 409: the package cannot become an entry of this catalogue; the detail says why. */
class NotImportable extends Problem {
  constructor(reason: string) {
    super('not_importable', reason);
  }
}

/** The entry that a package makes, and what a person has to know about it. */
export interface ImportedPackage {
  entry: CatalogEntry;
  notes: string[];
}

/** Makes entries of packages of npm and puts them into the first folder of CATALOG_DIRS (contract §3.1). */
@Injectable()
export class PackageImportsService {
  constructor(
    private readonly catalog: CatalogService,
    private readonly packages: NpmPackageReader,
    private readonly settings: Settings,
    private readonly transactions: TransactionsService,
    private readonly journal: JournalService,
  ) {}

  /**
   * Returns the entry that a package would make, and stores nothing.
   * @throws {NotImportable} {PackageUnavailable}
   */
  async look(request: ImportPackageRequest, caller: Principal): Promise<ImportedPackage> {
    const { file, notes } = await this.fileOf(request, caller);
    return { entry: entryIn(file), notes };
  }

  /**
   * Writes the entry into the folder and reads the catalogue again.
   * @throws {NotImportable} {PackageUnavailable} {ValidationFailed} when another file of the catalogue is not valid
   */
  async store(request: ImportPackageRequest, caller: Principal): Promise<ImportedPackage> {
    const { file, notes } = await this.fileOf(request, caller);
    await importable(async () => storeEntry(await entryFolder(this.settings.catalogDirs), file, false));
    await this.catalog.reload();
    const entry = entryIn(file);
    await this.transactions.run(() =>
      this.journal.record({
        type: 'mcp.catalog.imported',
        subject: { type: 'catalog_entry', id: entry.id },
        data: { catalogId: entry.id, name: entry.name, version: entry.version, reviewed: entry.verified },
      }),
    );
    return { entry, notes };
  }

  private async fileOf(
    { package: wanted, category, hosts, reviewed }: ImportPackageRequest,
    { name }: Principal,
  ) {
    const at = wanted.indexOf('@', 1);
    const [pkg, version] = at < 0 ? [wanted, 'latest'] : [wanted.slice(0, at), wanted.slice(at + 1)];
    const { integrity, manifest, ...texts } = await this.packages.read(pkg, version);
    return importable(async () => {
      const resolved = { integrity, program: programPath(pkg, manifest.bin as Record<string, string>) };
      const importedFrom = `https://www.npmjs.com/package/${pkg}/v/${manifest.version}`;
      const network = hosts === undefined ? 'any' : hosts.length === 0 ? 'none' : { hosts };
      const { entry, notes } = entryOfPackage(manifest, texts, resolved, {
        ...{ id: null, category, network, importedFrom },
      });
      if (this.catalog.get(entry.id))
        throw new NotImportable(
          `The catalogue has an entry ${entry.id} already: install it, or remove its file first.`,
        );
      return { file: reviewed ? reviewedBy(name, entry) : entry, notes };
    });
  }
}

/**
 * The range of the runtime stays the word of the package's maker, which a reviewed entry would make a refusal: the person
 * was told where this host is out of it, and the verification decides.
 */
function reviewedBy<Entry extends object>(name: string, entry: Entry) {
  return { ...entry, verified: true, verifiedBy: name, runtimeVersion: null };
}

/** @throws {NotImportable} with the reason for which an entry cannot be made or stored */
async function importable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw error instanceof ImportError ? new NotImportable(error.message) : error;
  }
}

function entryIn(file: object): CatalogEntry {
  const { entry, errors } = parseEntry(structuredClone(file));
  if (!entry) throw new NotImportable(errors.map(({ path, message }) => `${path} ${message}`).join('; '));
  return entry;
}
