import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { resolve } from 'node:path';

const require = createRequire(import.meta.url);
const FOLDER = resolve(import.meta.dirname, '../../../node_modules/.cache/worker-libraries');

/** The largest libraries of the service and its tests. Jest's loader needs 1 to 3 s of processor time for those of a file. */
const MAPPED = [
  '@modelcontextprotocol/client',
  '@modelcontextprotocol/sdk/client/index.js',
  '@modelcontextprotocol/sdk/client/streamableHttp.js',
  '@modelcontextprotocol/sdk/types.js',
  '@modelcontextprotocol/server',
  '@nestjs/common',
  '@nestjs/common/constants.js',
  '@nestjs/core',
  '@nestjs/passport',
  '@nestjs/swagger',
  '@nestjs/testing',
  '@nestjs/typeorm',
  'ajv',
  'ajv-formats',
  'ajv/dist/2020.js',
  'class-transformer',
  'class-validator',
  'fast-check',
  'graphile-worker',
  'openid-client',
  'pg',
  'playwright-core',
  'prom-client',
  'rxjs',
  'rxjs/operators',
  'typeorm',
  'zod',
  'zod/v4',
];
/** The service's own code loads these itself; tests import `undici.cjs` beside this file. */
const ASKED_FOR = ['undici'];

let loaded = null;

/** Loads the libraries by Node's own loader, once per Jest worker. */
export function librariesOfTheWorker() {
  return (loaded ??= load());
}

async function load() {
  const names = [...MAPPED, ...ASKED_FOR];
  return new Map(await Promise.all(names.map(async (name) => [name, await moduleNamed(name)])));
}

/** Returns a CommonJS module itself, from which Jest makes the named exports and the default. */
async function moduleNamed(name) {
  const module = await import(name);
  const isCommonJs = 'default' in module && require(name) === module.default;
  return isCommonJs ? module.default : module;
}

/** Returns the entries of Jest's `moduleNameMapper` that give a test file these libraries. */
export function mappedLibraries() {
  mkdirSync(FOLDER, { recursive: true });
  return Object.fromEntries(MAPPED.map((name) => [`^${name.replace(/\.js$/, '(\\.js)?')}$`, fileOf(name)]));
}

/** A file that is there stays: another run may be reading it. */
function fileOf(name) {
  const path = resolve(FOLDER, `${name.replaceAll('/', '+')}.cjs`);
  if (!existsSync(path)) writeFileSync(path, `module.exports = globalThis.libraryOfTheWorker('${name}');\n`);
  return path;
}
