import { spawnSync } from 'node:child_process';
import { DRILL_FILES, SLOW_FILES, slowFilesWithout } from './test/support/slow-files.mjs';
import { mappedLibraries } from './test/support/worker/libraries.mjs';

// API tests run the build (dist), which is the code that ships: the mapper below redirects their imports of src/ to it.
// Unit tests (*.spec.ts next to a file) run from source, transformed by swc.
const transform = {
  '^.+\\.ts$': [
    '@swc/jest',
    {
      jsc: {
        parser: { syntax: 'typescript', decorators: true },
        transform: { legacyDecorator: true, decoratorMetadata: true, useDefineForClassFields: false },
        target: 'es2022',
      },
      module: { type: 'es6' },
    },
  ],
};
const common = {
  extensionsToTreatAsEsm: ['.ts'],
  transform,
  testEnvironment: 'node',
  modulePathIgnorePatterns: [
    '<rootDir>/dist/package.json',
    '<rootDir>/data',
    '<rootDir>/.tmp',
    '<rootDir>/\\.dist-',
  ],
};
/** Libraries that each Jest worker loads once, and not once per test file (test/support/worker/environment.mjs). */
const ofTheWorker = mappedLibraries();
const relativeTs = { '^(\\.{1,2}/.*)\\.js$': '$1' };
/** Which API tests scripts/test.mjs asks for. */
function apiFiles() {
  if (process.env.TEST_FILES === 'slow') return SLOW_FILES;
  if (process.env.TEST_FILES === 'drills') return DRILL_FILES;
  const without = (files) => ['**/*.api-spec.ts', ...files.map((file) => `!${file}`)];
  if (process.env.TEST_FILES === 'without-drills') return without(DRILL_FILES);
  if (process.env.TEST_FILES !== 'quick') return without([]);
  const alsoSlow = process.env.TEST_ALSO_SLOW?.split(',') ?? [];
  return without([...slowFilesWithout(alsoSlow), ...DRILL_FILES]);
}
const api = {
  ...common,
  displayName: 'api',
  testEnvironment: '<rootDir>/test/support/worker/environment.mjs',
  roots: ['<rootDir>/test/api'],
  testMatch: apiFiles(),
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  moduleNameMapper: {
    '^(?:\\.\\./)+(src|migrations)/(.*)\\.js$': '<rootDir>/dist/$1/$2.js',
    ...ofTheWorker,
    ...relativeTs,
  },
};
/** Repeats the concurrency and model tests against two processes behind nginx, when nginx is installed, at full size. */
const throughNginx = {
  ...api,
  displayName: 'through nginx',
  roots: ['<rootDir>/test/api/work', '<rootDir>/test/api/gateway'],
  testMatch: [
    '**/{issues,links}/*.concurrency.api-spec.ts',
    '**/model.api-spec.ts',
    '**/heartbeat.concurrency.api-spec.ts',
  ],
  setupFiles: ['<rootDir>/test/support/through-nginx.mjs'],
};
const withoutService = [
  {
    ...common,
    displayName: 'unit',
    testEnvironment: '<rootDir>/test/support/worker/environment.mjs',
    roots: ['<rootDir>/src', '<rootDir>/test'],
    testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/*.spec.ts'],
    moduleNameMapper: { ...ofTheWorker, ...relativeTs },
  },
  // The runner is a package of its own. Its API tests run the build with a scripted agent.
  {
    ...common,
    displayName: 'runner',
    roots: ['<rootDir>/runner/test'],
    testMatch: ['**/*.spec.ts'],
    moduleNameMapper: relativeTs,
  },
];
const hasNginx = spawnSync('nginx', ['-v']).error === undefined;
export default {
  // Longer than the minute that `until` waits, whose error says which condition was not met.
  testTimeout: 120_000,
  // One more than the processors it is made for: a worker waits a quarter of its time, mostly for processes that start.
  maxWorkers: 3,
  testSequencer: '<rootDir>/test/support/longest-first.mjs',
  projects: [
    ...(['slow', 'drills'].includes(process.env.TEST_FILES) ? [] : withoutService),
    api,
    ...(process.env.TEST_SIZE === 'full' && hasNginx ? [throughNginx] : []),
  ],
};
