import { spawnSync } from 'node:child_process';

// API tests run the build (dist), the very code that ships: the mapper below sends their imports of src/ there.
// Unit tests (*.spec.ts beside a file) are transformed by swc and run from source.
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
const relativeTs = { '^(\\.{1,2}/.*)\\.js$': '$1' };
const api = {
  ...common,
  displayName: 'api',
  roots: ['<rootDir>/test/api'],
  testMatch: ['**/*.api-spec.ts'],
  globalSetup: '<rootDir>/test/support/global-setup.mjs',
  globalTeardown: '<rootDir>/test/support/global-teardown.mjs',
  moduleNameMapper: {
    '^(?:\\.\\./)+(src|migrations)/(.*)\\.js$': '<rootDir>/dist/$1/$2.js',
    ...relativeTs,
  },
};
/** The races and walks of issues once more, against two processes behind nginx; where there is one, at full size. */
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
const hasNginx = spawnSync('nginx', ['-v']).error === undefined;
export default {
  // Above the minute that a test waits for what is to come true: it then says what did not.
  testTimeout: 120_000,
  maxWorkers: 2,
  projects: [
    {
      ...common,
      displayName: 'unit',
      roots: ['<rootDir>/src', '<rootDir>/test'],
      testMatch: ['<rootDir>/src/**/*.spec.ts', '<rootDir>/test/*.spec.ts'],
      moduleNameMapper: relativeTs,
    },
    api,
    ...(process.env.TEST_SIZE === 'full' && hasNginx ? [throughNginx] : []),
  ],
};
