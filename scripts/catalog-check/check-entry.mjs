import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { findNodeAtLocation, parseTree, printParseErrorCode } from 'jsonc-parser';
import { dataOf } from '../../client/client.mjs';
import { entryErrors } from '../../dist/src/mcp/catalog/entry-rules.js';
import { parseEntry } from '../../dist/src/mcp/catalog/load-catalog.js';
import { ConfigurationError, EXIT_RETRY, ExitError } from '../../dist/src/platform/exit/exit-codes.js';
import { throwAwayService } from '../demo/service.mjs';

/**
 * Checks the file of an entry, then installs and verifies it on a temporary service.
 * @throws {ConfigurationError} with every error of the file, each with its line
 * @throws {ExitError} with the reason why the server does not work
 */
export async function checkEntry(file, envValues) {
  const entry = await validEntry(file);
  console.log(`${file}: the entry is valid. It is tried on a temporary service …`);
  const folder = await mkdtemp(join(tmpdir(), 'awp-catalog-check-'));
  await copyFile(file, join(folder, basename(file)));
  const settings = { CATALOG_DIRS: folder, ALLOW_UNVERIFIED: 'true', LOG_LEVEL: 'fatal' };
  const service = await throwAwayService('catalog-check', { settings });
  try {
    const body = { catalogId: entry.id, envValues };
    const server = await dataOf(service.api.POST('/api/mcp/installed', { body })).catch((error) => {
      throw new ConfigurationError(`It cannot be installed: ${error.message}`);
    });
    const params = { path: { id: server.id } };
    tell(await dataOf(service.api.POST('/api/mcp/installed/{id}/verify', { params })), server.missingEnv);
  } finally {
    await service.close();
    await rm(folder, { recursive: true, force: true });
  }
}

async function validEntry(file) {
  const text = await readFile(file, 'utf8').catch((error) => {
    throw new ConfigurationError(`${file} cannot be read (${error.code}).`);
  });
  const found = [];
  const tree = parseTree(text, found, { disallowComments: true });
  const at = (offset) => `${file}:${text.slice(0, offset).split('\n').length}`;
  const [broken] = found;
  if (broken)
    throw new ConfigurationError(`${at(broken.offset)}: is not JSON: ${printParseErrorCode(broken.error)}.`);
  const { entry, errors } = parseEntry(JSON.parse(text));
  const all = entry ? entryErrors(entry, basename(file)) : errors;
  if (all.length === 0) return entry;
  const placed = all.map((error) => ({ ...error, offset: offsetOf(tree, error.path) }));
  const lines = placed
    .toSorted((one, other) => one.offset - other.offset)
    .map(({ path, message, offset }) => `${at(offset)}: ${path || 'the entry'} ${message}`);
  throw new ConfigurationError(lines.join('\n'));
}

/** Returns the place of a field such as `manifest.launch.args[0]`, or of the innermost object that it should be in. */
function offsetOf(tree, path) {
  const steps = [...path.matchAll(/[^.[\]]+/g)].map(([step]) => (/^\d+$/.test(step) ? Number(step) : step));
  for (let length = steps.length; length > 0; length -= 1) {
    const node = findNodeAtLocation(tree, steps.slice(0, length));
    if (node) return node.offset;
  }
  return tree.offset;
}

function tell({ status, details, phases, warnings, capabilities }, missingEnv) {
  for (const { phase, status: ended, ms, detail } of phases) {
    const found = ended === 'failed' ? '' : (detail ?? '');
    console.log(
      `  ${phase.padEnd(12)} ${ended.padEnd(8)} ${ms === null ? '' : `${ms} ms  `}${found}`.trimEnd(),
    );
  }
  for (const { subject, message } of warnings ?? []) console.log(`Warning, ${subject}: ${message}`);
  if (missingEnv.length > 0) console.log(`Without a value: ${missingEnv.join(', ')}.`);
  if (capabilities) console.log(`Tools: ${capabilities.join(', ')}`);
  if (status !== 'ok') throw new ExitError(details, EXIT_RETRY);
  console.log(details);
}
