import { Injectable } from '@nestjs/common';
import type { Principal } from '../../platform/authentication/principals-and-roles.js';
import { KeyedQueue } from '../../platform/concurrency/queues-semaphores-and-context-slots.js';
import { Settings } from '../../platform/config/settings.js';
import { TransactionsService } from '../../platform/database/transactions.service.js';
import { Problem } from '../../platform/http/problem.js';
import { JournalService } from '../../platform/journal/journal.service.js';
import type { CatalogEntry, NetworkNeed } from '../catalog/catalog-entry.js';
import { CatalogError, entryFolder, parseEntry, storeEntry } from '../catalog/catalog-files.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { entryOfPackage, programPath } from '../catalog/entry-of-package.js';
import { ImportError } from '../catalog/server-json-and-import-source.js';
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
  packageName: string;
  /** The range of Node that its maker names; null: none. A reviewed entry has none. */
  nodeRange: string | null;
}

/** Makes entries of packages of npm and puts them into the first folder of CATALOG_DIRS (contract §3.1). */
@Injectable()
export class PackageImportsService {
  private readonly stores = new KeyedQueue();

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
    return (await this.made(request, caller)).imported;
  }

  /**
   * Writes the entry into the folder and reads the catalogue again. With `replace` it takes the place of an earlier import of
   * its package, and of what people changed in that file.
   * @throws {NotImportable} {PackageUnavailable}
   */
  async store(request: ImportPackageRequest, caller: Principal): Promise<ImportedPackage> {
    const { file, imported } = await this.made(request, caller);
    const replaces = (before: CatalogEntry): boolean => request.replace && isOf(before, imported.packageName);
    await this.importable(async () =>
      this.stores.run('entries', async () => {
        await storeEntry(await entryFolder(this.settings.catalogDirs), file, replaces);
        await this.catalog.reload();
      }),
    );
    const { id, name, version, verified } = imported.entry;
    await this.transactions.run(() =>
      this.journal.record({
        type: 'mcp.catalog.imported',
        subject: { type: 'catalog_entry', id },
        data: { catalogId: id, name, version, reviewed: verified },
      }),
    );
    return imported;
  }

  private async made(request: ImportPackageRequest, { name: reviewer }: Principal) {
    const wanted = request.package.replace(/^npm:/, '');
    const at = wanted.indexOf('@', 1);
    const [name, version] = at < 0 ? [wanted, 'latest'] : [wanted.slice(0, at), wanted.slice(at + 1)];
    const { integrity, manifest, ...texts } = await this.packages.read(name, version);
    return this.importable(async () => {
      const resolved = { integrity, program: programPath(name, manifest.bin as Record<string, string>) };
      const { entry, notes } = entryOfPackage(manifest, texts, resolved, {
        id: null,
        category: request.category,
        network: networkOf(request.hosts),
        importedFrom: `https://www.npmjs.com/package/${name}/v/${manifest.version}`,
      });
      const file = request.reviewed ? reviewedBy(reviewer, entry) : entry;
      const nodeRange = (entry['runtimeVersion'] as string | null) ?? null;
      const all = [...this.notesBeside(entry.id, name), ...notes];
      return { file, imported: { entry: entryIn(file), notes: all, nodeRange, packageName: name } };
    });
  }

  /** @throws {NotImportable} with the reason for which an entry cannot be made or stored, without folders of this host */
  private async importable<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof CatalogError)
        throw new NotImportable(
          'Another file of the catalogue is not valid. Reload the catalogue to see which, and correct it first.',
        );
      throw error instanceof ImportError ? new NotImportable(this.withoutFolders(error.message)) : error;
    }
  }

  private withoutFolders(message: string): string {
    return this.settings.catalogDirs.reduce(
      (text, folder) =>
        text.replaceAll(`${folder}/`, '').replaceAll(folder, 'The first folder of CATALOG_DIRS'),
      message,
    );
  }

  /** @throws {NotImportable} when the id is that of an entry which is no import of the package */
  private notesBeside(id: string, packageName: string): string[] {
    const present = this.catalog.get(id);
    if (present && ((present.importedFrom ?? null) === null || !isOf(present, packageName)))
      throw new NotImportable(
        `The catalogue has an entry ${id} already, which is no import of ${packageName}.`,
      );
    const twin = this.catalog.list().find((entry) => entry.id !== id && isOf(entry, packageName));
    return [
      ...(present ? [`It takes the place of ${present.name} ${present.version} in the catalogue.`] : []),
      ...(twin ? [`The catalogue has this package already, as ${twin.name} (${twin.id}).`] : []),
    ];
  }
}

function isOf({ manifest }: CatalogEntry, packageName: string): boolean {
  return (
    'package' in manifest && manifest.package.registry === 'npm' && manifest.package.name === packageName
  );
}

function networkOf(hosts: string[] | undefined): NetworkNeed {
  if (hosts === undefined) return 'any';
  return hosts.length === 0 ? 'none' : { hosts };
}

/**
 * The range of the runtime stays the word of the package's maker, which a reviewed entry would make a refusal: the person
 * was told where this host is out of it, and the verification decides.
 */
function reviewedBy<Entry extends object>(name: string, entry: Entry) {
  const installInstructions = 'Imported from npm. Variables and arguments are those of its README.';
  return { ...entry, verified: true, verifiedBy: name, runtimeVersion: null, installInstructions };
}

function entryIn(file: object): CatalogEntry {
  const { entry, errors } = parseEntry(structuredClone(file));
  if (!entry) throw new NotImportable(errors.map(({ path, message }) => `${path} ${message}`).join('; '));
  return entry;
}
