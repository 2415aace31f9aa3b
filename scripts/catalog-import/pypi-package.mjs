import { ImportError } from '../../dist/src/mcp/catalog/server-json-and-import-source.js';
import { fetchJson } from './fetch.mjs';

const SIMPLE = 'application/vnd.pypi.simple.v1+json';

/**
 * Asks the index of PyPI (PIP_INDEX_URL, PEP 691) for the SHA-256 of the wheel of an exact version that runs on every
 * platform. The program is called like the package, as uvx assumes it, unless `program` names another.
 */
export async function resolvePypi({ identifier, version, fileSha256 }, program) {
  const index = (process.env.PIP_INDEX_URL ?? 'https://pypi.org/simple').replace(/\/+$/, '');
  const project = identifier.replace(/[-_.]+/g, '-').toLowerCase();
  const { files = [] } = await fetchJson(`${index}/${project}/`, SIMPLE);
  const wheel = files.find((file) => isWheelOf(file, project, version));
  const sha256 = wheel?.hashes?.sha256;
  if (!/^[a-f0-9]{64}$/.test(sha256 ?? ''))
    throw new ImportError(
      `${identifier} ${version} has no wheel for every platform with a SHA-256 at ${index}; packages that must be built are not imported.`,
    );
  if (fileSha256 !== undefined && fileSha256 !== sha256)
    throw new ImportError(`The wheel of ${identifier} ${version} is not the one that fileSha256 names.`);
  return {
    integrity: `sha256-${Buffer.from(sha256, 'hex').toString('base64')}`,
    program: programName(program ?? identifier),
  };
}

function isWheelOf({ filename = '', yanked }, project, version) {
  const [name = '', its, ...tags] = filename.split('-');
  const isUniversal = tags.slice(-2).join('-') === 'none-any.whl' && /py3/.test(tags.at(-3) ?? '');
  return !yanked && isUniversal && its === version && name.replace(/[-_.]+/g, '-').toLowerCase() === project;
}

function programName(name) {
  if (!/^[a-z0-9][a-z0-9._-]*$/i.test(name)) throw new ImportError(`${name} is not the name of a program.`);
  return name;
}
