import { resolve } from 'node:path';
import config from '../../jest.config.mjs';

const api = config.projects.find(({ displayName }) => displayName === 'api');

/** The game day runs the build, as API tests do, on servers of its own. */
export default {
  rootDir: resolve(import.meta.dirname, '../..'),
  testTimeout: 300_000,
  maxWorkers: 1,
  projects: [
    {
      ...api,
      displayName: 'game day',
      rootDir: resolve(import.meta.dirname, '../..'),
      roots: ['<rootDir>/test/game-day'],
      testMatch: ['**/*.drill.ts'],
      globalSetup: undefined,
      globalTeardown: undefined,
    },
  ],
};
