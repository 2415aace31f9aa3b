// @ts-check
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { apiAt } from '../../client/client.mjs';
import { inRoot } from '../paths.mjs';
import { endWithMe } from './end-with-me.mjs';

/**
 * The service that the demo uses: `api` acts as its Owner, `as(key)` as the holder of another key.
 * @typedef {{ url: string, api: import('../../client/client.mjs').Api, as: (key: string) => import('../../client/client.mjs').Api, close: () => Promise<void> }} DemoService
 * @typedef {DemoService & { pid: number | undefined }} ThrowAwayService
 */

/** Who signs in to the dashboard of a temporary service. */
export const person = { email: 'ada@example.com', password: 'a long enough password' };

/** @returns {Promise<DemoService>} */
export async function openService() {
  const { BASE_URL, API_KEY } = process.env;
  if (BASE_URL && API_KEY) return runningService(BASE_URL.replace(/\/+$/, ''), API_KEY);
  console.log('Starting a temporary service for the demo …');
  return throwAwayService('demo', {
    settings: { BOOTSTRAP_OWNER_EMAIL: person.email, BOOTSTRAP_OWNER_PASSWORD: person.password },
  });
}

/**
 * @param {string} url
 * @param {string} key
 * @returns {Promise<DemoService>}
 */
async function runningService(url, key) {
  try {
    await fetch(`${url}/livez`);
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new Error(`No service responds at BASE_URL=${url} (${cause}). Start it, or correct BASE_URL.`, {
      cause: error,
    });
  }
  return serviceAt(url, key, async () => undefined);
}

/**
 * Starts a service with a temporary database and data folder.
 * @param {string} purpose a word for its names
 * @param {{ flags?: string[], settings?: Record<string, string> }} [options] flags of Node, settings of the service
 * @returns {Promise<ThrowAwayService>}
 */
export async function throwAwayService(purpose, { flags = [], settings = {} } = {}) {
  const key = `${purpose}-${randomBytes(24).toString('hex')}`;
  const folder = await mkdtemp(join(tmpdir(), `awp-${purpose}-`));
  const child = spawn(process.execPath, [...flags, inRoot('dist/src/main.js')], {
    env: {
      ...process.env,
      DATA_DIR: folder,
      PORT: '0',
      PROCESSES: '1',
      LOG_LEVEL: 'warn',
      ...{ BOOTSTRAP_OWNER_API_KEY: key, BOOTSTRAP_OWNER_API_KEY_FILE: '' },
      ...{ DATABASE_URL: '', DATABASE_URL_FILE: '' },
      PUBLIC_URL: '',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endWithMe(child, 'TERM');
  const url = await addressOf(child);
  const service = serviceAt(url, key, async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await rm(folder, { recursive: true, force: true });
  });
  return { ...service, pid: child.pid };
}

/** @param {import('node:child_process').ChildProcessByStdio<null, import('node:stream').Readable, null>} child */
async function addressOf(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    const ready = / is ready at ([^\s"]+)/.exec(line);
    if (ready?.[1]) {
      child.stdout.resume();
      return ready[1];
    }
  }
  throw new Error('the service did not start');
}

/** @param {string} url @param {string} key @param {() => Promise<void>} close @returns {DemoService} */
function serviceAt(url, key, close) {
  return { url, api: apiAt(url, key), as: (other) => apiAt(url, other), close };
}
