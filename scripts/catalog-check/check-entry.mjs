import { copyFile, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { findNodeAtLocation, getNodePath, parseTree, printParseErrorCode } from 'jsonc-parser';
import { dataOf } from '../../client/client.mjs';
import { entryErrors } from '../../dist/src/mcp/catalog/entry-rules.js';
import { loadCatalog, parseEntry, replacementError } from '../../dist/src/mcp/catalog/catalog-files.js';
import { ConfigurationError, EXIT_RETRY, ExitError } from '../../dist/src/platform/exit/exit-codes.js';
import { throwAwayService } from '../demo/service.mjs';
import { inRoot } from '../paths.mjs';

/**
 * Checks the file of an entry, then installs and verifies it on a temporary service.
 * @throws {ConfigurationError} with every error of the file, each with its line
 * @throws {ExitError} with the reason why the server does not work
 */
export async function checkEntry(file, envValues) {
  const entry = await validEntry(file);
  refuseOtherValues(entry, envValues);
  console.log(`${file}: the entry is valid. It is tried on a temporary service …`);
  const folder = await mkdtemp(join(tmpdir(), 'awp-catalog-check-'));
  let service = null;
  try {
    await copyFile(file, join(folder, basename(file)));
    const settings = { CATALOG_DIRS: folder, ALLOW_UNVERIFIED: 'true', LOG_LEVEL: 'fatal' };
    service = await throwAwayService('catalog-check', { settings });
    const body = { catalogId: entry.id, envValues };
    const server = await dataOf(service.api.POST('/api/mcp/installed', { body })).catch((error) => {
      throw new ConfigurationError(`It cannot be installed: ${error.problem?.detail ?? error.message}`);
    });
    const params = { path: { id: server.id } };
    tell(await dataOf(service.api.POST('/api/mcp/installed/{id}/verify', { params })), server.missingEnv);
  } finally {
    await service?.close();
    await rm(folder, { recursive: true, force: true });
  }
}

/** @throws {ConfigurationError} when a required variable has no value here, or a value has no variable */
function refuseOtherValues({ environmentVariables }, envValues) {
  const missing = environmentVariables
    .filter((one) => one.isRequired && one.default === null && !one.searchPaths && !(one.name in envValues))
    .map(({ name }) => name);
  if (missing.length > 0)
    throw new ConfigurationError(
      `The entry requires ${missing.join(', ')}: give a value behind the file, as in ${missing[0]}=test.`,
    );
  const known = new Set(environmentVariables.map(({ name }) => name));
  const unknown = Object.keys(envValues).filter((name) => !known.has(name));
  if (unknown.length > 0)
    throw new ConfigurationError(
      `The entry has no variable ${unknown.join(', ')}: add it, or correct its name.`,
    );
}

const MISSING = {
  CommaExpected: 'a comma',
  ColonExpected: 'a colon',
  ValueExpected: 'a value',
  PropertyNameExpected: 'a name in quotes',
  CloseBraceExpected: 'a closing brace',
  CloseBracketExpected: 'a closing bracket',
};

function wordsOf(code) {
  const name = printParseErrorCode(code);
  if (name in MISSING) return `${MISSING[name]} is missing here`;
  if (name === 'InvalidCommentToken') return 'it has a comment, which JSON does not allow';
  return name.replace(/(?<=[a-z])(?=[A-Z])/g, ' ').toLowerCase();
}

async function validEntry(file) {
  const text = await readFile(file, 'utf8').catch((error) => {
    throw new ConfigurationError(`${file} cannot be read (${error.code}).`);
  });
  const found = [];
  const tree = treeOf(file, text, found);
  const at = (offset) => `${file}:${text.slice(0, offset).split('\n').length}`;
  const [broken] = found;
  if (broken) throw new ConfigurationError(`${at(broken.offset)}: is not JSON: ${wordsOf(broken.error)}.`);
  const { entry, errors } = parseEntry(JSON.parse(text));
  const all = entry ? [...entryErrors(entry, basename(file)), ...(await shippedErrors(entry))] : errors;
  const placed = [
    ...repeatedIn(tree),
    ...all.map((error) => ({ ...error, offset: offsetOf(tree, error.path) })),
  ];
  if (placed.length === 0) return entry;
  const lines = placed
    .toSorted((one, other) => one.offset - other.offset)
    .map(({ path, message, offset }) => `${at(offset)}: ${path || 'the entry'} ${message}`);
  throw new ConfigurationError(lines.join('\n'));
}

function treeOf(file, text, found) {
  try {
    return parseTree(text, found, { disallowComments: true });
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ConfigurationError(`${file}: is nested too deep for an entry.`);
  }
}

/** Of two members with one name the last counts, and a person who reviews the file may have read the first. */
function repeatedIn(node) {
  const names = new Set();
  return (node.children ?? []).flatMap((child) => {
    const [name, value] = child.type === 'property' ? child.children : [null, child];
    const isRepeated = name !== null && names.has(name.value);
    if (name !== null) names.add(name.value);
    const own = isRepeated
      ? [{ path: pathOf(value ?? child), message: 'is there twice', offset: child.offset }]
      : [];
    return value === undefined ? own : [...own, ...repeatedIn(value)];
  });
}

function pathOf(node) {
  const steps = getNodePath(node).map((step) => (typeof step === 'number' ? `[${step}]` : `.${step}`));
  return steps.join('').replace(/^\./, '');
}

/** An entry may take the place of a shipped one only where it says so. */
async function shippedErrors(entry) {
  const message = replacementError(entry, await loadCatalog([inRoot('dist/src/mcp/catalog/entries')]));
  return message === null ? [] : [{ path: 'id', message }];
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
