import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { inRoot } from '../paths.mjs';

/** The service that the demo plays on: `call(method, path, body)` as its Owner, `as(key)` as someone else. */
export async function openService() {
  const { BASE_URL, API_KEY } = process.env;
  if (BASE_URL && API_KEY) return clientOf(BASE_URL.replace(/\/+$/, ''), API_KEY, async () => undefined);
  console.log("Starting a throw-away service of the demo's own …");
  return throwAwayService('demo');
}

/** A service with a database and a data folder that go with it; `call` speaks as its Owner. */
export async function throwAwayService(purpose) {
  const key = `${purpose}-${randomBytes(24).toString('hex')}`;
  const folder = await mkdtemp(join(tmpdir(), `awp-${purpose}-`));
  const child = spawn(process.execPath, [inRoot('dist/src/main.js')], {
    env: {
      ...process.env,
      DATA_DIR: folder,
      PORT: '0',
      LOG_LEVEL: 'warn',
      BOOTSTRAP_OWNER_API_KEY: key,
      DATABASE_URL: '',
      PUBLIC_URL: '',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await addressOf(child);
  return clientOf(url, key, async () => {
    child.kill('SIGTERM');
    if (child.exitCode === null) await once(child, 'exit');
    await rm(folder, { recursive: true, force: true });
  });
}

async function addressOf(child) {
  for await (const line of createInterface({ input: child.stdout })) {
    const ready = / is ready at (\S+)/.exec(line);
    if (ready) {
      child.stdout.resume();
      return ready[1];
    }
  }
  throw new Error('the service did not start');
}

function clientOf(url, key, close) {
  const call = async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${text}`);
    return text === '' ? null : JSON.parse(text);
  };
  return { url, call, as: (other) => clientOf(url, other, close), close };
}
