import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '../../platform/config/settings.js';
import { ValidationFailed } from '../../platform/http/problem.js';
import type { CatalogEntry, Category, Runtime, Transport } from './catalog-entry.js';
import { CatalogFault, type CatalogFileFault } from './catalog.errors.js';
import { loadCatalog } from './load-catalog.js';

/** What a list of entries is narrowed by; `q` holds words that all must occur, in any case and order. */
export interface CatalogFilter {
  category?: Category;
  transport?: Transport;
  runtime?: Runtime;
  q?: string;
}

const shipped = fileURLToPath(new URL('./entries', import.meta.url));

/** The catalogue in memory: the shipped entries and those of CATALOG_DIRS (spec §3.1). */
@Injectable()
export class CatalogService implements OnModuleInit {
  private entries: ReadonlyMap<string, CatalogEntry> = new Map();
  private readonly folders: string[];

  constructor(settings: Settings) {
    this.folders = [shipped, ...settings.catalogDirs];
  }

  /** @throws {CatalogFault} which ends the start */
  async onModuleInit(): Promise<void> {
    this.entries = await loadCatalog(this.folders);
  }

  /** By id. */
  list(filter: CatalogFilter = {}): CatalogEntry[] {
    return [...this.entries.values()].filter((entry) => matches(entry, filter));
  }

  get(id: string): CatalogEntry | null {
    return this.entries.get(id) ?? null;
  }

  /**
   * Reads the folders anew.
   * @throws {ValidationFailed} with a row a fault, and keeps the old entries
   */
  async reload(): Promise<void> {
    try {
      this.entries = await loadCatalog(this.folders);
    } catch (error) {
      throw error instanceof CatalogFault ? new ValidationFailed(error.faults.map(toldByName)) : error;
    }
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

/** Answers tell the file's name alone, not where it lies on this host. */
function toldByName({ file, path, message }: CatalogFileFault) {
  return { path: [basename(file), path].filter(Boolean).join('#'), message };
}
