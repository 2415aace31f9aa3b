import type { CatalogEntry, StdioEntry } from '../catalog/catalog-entry.js';

const MODULE_MISSING =
  /Cannot find (module|package)|ERR_MODULE_NOT_FOUND|No module named|ModuleNotFoundError/;
const NATIVE_MISSING =
  /Cannot find module '[^']*\.node'|build\/Release|Could not locate the bindings|NODE_MODULE_VERSION|prebuilds?\b/;
const READ_ONLY = /\bEROFS\b|read-only file system|\bEACCES\b|permission denied/i;
const NOT_FOUND = /\bENOENT\b|no such file or directory/i;
const NAMES_PLACE = /(^|_)(PATH|FILE|DIR|DIRECTORY|FOLDER|HOME)$/;

/**
 * Returns what a person can do against a start that failed for what the sandbox hides or forbids; null where the last
 * lines of the server show no such cause. The words are those of Node, of Python and of the C library.
 */
export function startHint(entry: CatalogEntry, stderrTail: string): string | null {
  if (entry.transport !== 'stdio') return null;
  const { registry } = entry.manifest.package;
  if (registry !== 'none' && !entry.manifest.runInstallScripts && NATIVE_MISSING.test(stderrTail))
    return 'A module of its package is built by an install script, and the entry runs none: after a review, set manifest.runInstallScripts to true and install the server again.';
  if (registry === 'none' && (MODULE_MISSING.test(stderrTail) || NOT_FOUND.test(stderrTail))) return HIDDEN;
  return READ_ONLY.test(stderrTail) ? writableHint(entry) : null;
}

const HIDDEN =
  'The sandbox shows the server only the system, its own folder, and the paths that manifest.launch names: name the folder of its code in launch.cwd, and any other path by a variable of the format filepath.';

function writableHint({ environmentVariables }: StdioEntry): string {
  const variable = environmentVariables.find(({ name }) => NAMES_PLACE.test(name));
  const where = variable
    ? `give ${variable.name} a default below {dataDir} in the entry`
    : 'name a path below {dataDir} among launch.args or in the default of a variable';
  return `The server may write into its own folder only, which is its working folder and {dataDir} in the entry, and not beside its code: ${where}, or mount one by a variable of the format filepath with access write.`;
}
