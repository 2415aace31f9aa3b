import { readFileSync } from 'node:fs';
import { inRoot } from './paths.mjs';

/** EX_CONFIG: only a person can install another Node, so a supervisor must not try again. */
export const EXIT_CONFIG = 78;

const manifest = () => JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));

/** The version of the service. */
export const versionOf = () => manifest().version;

/** Ends the process when this version of Node is not in `engines` of package.json. */
export function requireNodeVersion() {
  const wanted = manifest().engines.node;
  if (satisfies(process.versions.node, wanted)) return;
  console.error(
    `Node ${wanted} is needed, this is ${process.versions.node}. Install one of these versions: https://nodejs.org/en/download`,
  );
  process.exit(EXIT_CONFIG);
}

/** Supports `^1.2`, `>=1.2` and `||`, which package.json uses. No package is installed yet that could do it. */
export function satisfies(version, range) {
  const [major, minor] = version.split('.').map(Number);
  return range.split('||').some((part) => {
    const [, operator, wantedMajor, wantedMinor] = /^(\^|>=)(\d+)\.(\d+)$/.exec(part.trim());
    if (major !== Number(wantedMajor)) return operator === '>=' && major > Number(wantedMajor);
    return minor >= Number(wantedMinor);
  });
}
