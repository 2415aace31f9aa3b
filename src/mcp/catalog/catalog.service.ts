import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { type FieldError, ValidationFailed } from '../../platform/http/problem.js';
import type { CatalogEntry, Category, Runtime, Transport } from './catalog-entry.js';
import {
  CatalogError,
  type CatalogFileError,
  loadCatalog,
  parseEntry,
  replacementError,
} from './catalog-files.js';
import { entryErrors } from './entry-rules.js';

/** The filter of a list of entries; every word of `q` must occur, in any case and order. */
export interface CatalogFilter {
  category?: Category;
  transport?: Transport;
  runtime?: Runtime;
  q?: string;
}

const SHIPPED_ENTRIES = fileURLToPath(new URL('./entries', import.meta.url));

/** Holds the catalogue in memory: the shipped entries and those of CATALOG_DIRS (contract §3.1). */
@Injectable()
export class CatalogService implements OnModuleInit {
  /** Reads the folders again in the processes that install for this one; null where it installs itself. */
  reloadElsewhere: (() => Promise<void>) | null = null;
  private entries: ReadonlyMap<string, CatalogEntry> = new Map();
  private shipped: ReadonlySet<string> = new Set();
  private readonly folders: string[];

  constructor(private readonly settings: Settings) {
    this.folders = [SHIPPED_ENTRIES, ...settings.catalogDirs];
    settings.parent?.answerTo('catalog', () => this.read());
  }

  /** @throws {CatalogError} when an entry is invalid, which ends the start */
  async onModuleInit(): Promise<void> {
    this.shipped = new Set((await loadCatalog([SHIPPED_ENTRIES])).keys());
    await this.read();
  }

  /** Returns the matching entries, by id. */
  list(filter: CatalogFilter = {}): CatalogEntry[] {
    return [...this.entries.values()].filter((entry) => matches(entry, filter));
  }

  get(id: string): CatalogEntry | null {
    return this.entries.get(id) ?? null;
  }

  /**
   * Returns every error that an entry of the operator's would have. The rules across fields are checked once each field
   * has the form of the schema.
   */
  check(candidate: object): FieldError[] {
    const { entry, errors } = parseEntry(structuredClone(candidate));
    if (!entry) return errors;
    const message = replacementError(entry, this.shipped);
    return [
      ...(message === null ? [] : [{ path: 'id', message }]),
      ...entryErrors(entry, `${entry.id}.json`),
    ];
  }

  /**
   * Reads the folders again, in every process of this start: the next request may reach another one.
   * @throws {ValidationFailed} with one row per error when an entry is invalid; the old entries then stay
   */
  async reload(): Promise<void> {
    try {
      await this.read();
    } catch (error) {
      throw error instanceof CatalogError ? new ValidationFailed(error.errors.map(byFileName)) : error;
    }
    await this.settings.parent?.askAll('catalog');
    await this.reloadElsewhere?.();
  }

  /** Returns how many entries there are. */
  private async read(): Promise<number> {
    this.entries = await loadCatalog(this.folders);
    return this.entries.size;
  }
}

function matches(entry: CatalogEntry, { category, transport, runtime, q = '' }: CatalogFilter): boolean {
  const text = [entry.id, entry.name, entry.description, entry.publisher].join(' ').toLowerCase();
  return (
    (category === undefined || entry.category === category) &&
    (transport === undefined || entry.transport === transport) &&
    (runtime === undefined || entry.runtime === runtime) &&
    q
      .toLowerCase()
      .split(/\s+/)
      .every((word) => text.includes(word))
  );
}

/** Shows the file's name without its folder on this host. */
function byFileName({ file, path, message }: CatalogFileError) {
  return { path: [basename(file), path].filter(Boolean).join('#'), message };
}
