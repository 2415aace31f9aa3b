import { readFileSync } from 'node:fs';
import { inRoot } from '../paths.mjs';

/**
 * Returns the npm-shrinkwrap.json of a package: the part of package-lock.json that its dependencies lead to. An installation then
 * has the versions and checksums that were tested here, also of what the dependencies need themselves.
 */
export function shrinkwrapOf(manifest) {
  const { lockfileVersion, packages: locked } = JSON.parse(readFileSync(inRoot('package-lock.json'), 'utf8'));
  const packages = { '': manifest };
  const waiting = wantedBy('', manifest, locked);
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (path in packages) continue;
    packages[path] = locked[path];
    waiting.push(...wantedBy(path, locked[path], locked));
  }
  const sorted = Object.fromEntries(Object.entries(packages).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  return {
    name: manifest.name,
    version: manifest.version,
    lockfileVersion,
    requires: true,
    packages: sorted,
  };
}

/** The places of what a package names. An optional one may be missing, and an optional peer is not installed for it. */
function wantedBy(path, named, locked) {
  const {
    dependencies = {},
    optionalDependencies = {},
    peerDependencies = {},
    peerDependenciesMeta = {},
  } = named;
  const found = (name) => placeOf(path, name, locked);
  const peers = Object.keys(peerDependencies).filter((name) => !peerDependenciesMeta[name]?.optional);
  const maybe = [...Object.keys(optionalDependencies), ...peers].flatMap((name) => found(name) ?? []);
  const needed = Object.keys(dependencies).map((name) => {
    const place = found(name);
    if (!place) throw new Error(`package-lock.json has no ${name}, which ${path || 'the package'} needs`);
    return place;
  });
  return [...maybe, ...needed];
}

/** As Node looks for a package: in the folder of the one that asks, and in each above it. */
function placeOf(path, name, locked) {
  for (let folder = path; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder ? `${folder}/` : ''}node_modules/${name}`;
    if (locked[place]) return place;
    if (folder === '') return null;
  }
}
