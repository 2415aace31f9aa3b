import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CatalogEntry } from './catalog-entry.js';
import { CatalogFault, type CatalogFileFault } from './catalog.errors.js';
import { formEntry } from './entry-form.js';
import { entryFaults } from './entry-rules.js';

/**
 * Reads every entry of these folders, by id: files that end in `.json`, subfolders not (spec §3.1).
 * @throws {CatalogFault} with every fault of every file: a catalogue is whole or not at all
 */
export async function loadCatalog(folders: readonly string[]): Promise<Map<string, CatalogEntry>> {
  const entries = new Map<string, CatalogEntry>();
  const faults: CatalogFileFault[] = [];
  for (const folder of folders)
    for (const { name, file, text, fault } of await filesOf(folder)) {
      const read = fault === undefined ? readEntry(name, text) : { faults: [{ path: '', message: fault }] };
      faults.push(...read.faults.map((row) => ({ file, ...row })));
      if (!read.entry) continue;
      if (entries.has(read.entry.id))
        faults.push({ file, path: 'id', message: `${read.entry.id} is given twice` });
      entries.set(read.entry.id, read.entry);
    }
  if (faults.length > 0) throw new CatalogFault(faults);
  return new Map([...entries].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

interface CatalogFile {
  name: string;
  file: string;
  text: string;
  fault?: string;
}

/** Symbolic links are followed: that is how a ConfigMap of Kubernetes is mounted. */
async function filesOf(folder: string): Promise<CatalogFile[]> {
  try {
    const names = (await readdir(folder)).filter((name) => name.endsWith('.json')).toSorted();
    const files = await Promise.all(names.map((name) => fileOf(folder, name)));
    return files.filter((file) => file !== null);
  } catch (error) {
    return [{ name: '', file: folder, text: '', fault: `the folder cannot be read (${codeOf(error)})` }];
  }
}

async function fileOf(folder: string, name: string): Promise<CatalogFile | null> {
  const file = join(folder, name);
  try {
    return { name, file, text: await readFile(file, 'utf8') };
  } catch (error) {
    if (codeOf(error) === 'EISDIR') return null;
    return { name, file, text: '', fault: `cannot be read (${codeOf(error)})` };
  }
}

function readEntry(name: string, text: string) {
  let parsed: unknown;
  try {
    parsed = JSON.parse(text);
  } catch (error) {
    return { faults: [{ path: '', message: `is not JSON: ${(error as SyntaxError).message}` }] };
  }
  const formed = formEntry(parsed);
  if (formed.faults) return { faults: formed.faults };
  return { entry: formed.entry, faults: entryFaults(formed.entry, name) };
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? 'unknown cause';
}
