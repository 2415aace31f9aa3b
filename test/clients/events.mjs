// What happens to the service while a client is connected. Each event returns what it interrupted, if anything, as text.
import { setTimeout as sleep } from 'node:timers/promises';
import { IDLE_SECONDS } from './world.mjs';

const LONG_MS = 30_000;
const PATIENCE_MS = 10_000;
const SESSIONS = 200;

/** @type {Record<string, (world: import('./world.mjs').World, wait: (ms: number) => Promise<string>) => Promise<string>>} */
export const events = {
  'a restart between calls': async (world) => {
    await world.end('SIGTERM');
    await world.start();
    return '';
  },
  'a restart during a call': (world, wait) => during(world, wait, 'SIGTERM'),
  'kill -9 between calls': async (world) => {
    await world.end('SIGKILL');
    await world.start();
    return '';
  },
  'kill -9 during a call': (world, wait) => during(world, wait, 'SIGKILL'),
  'an idle session': async () => {
    await sleep((IDLE_SECONDS + 2) * 1000);
    return '';
  },
  '200 sessions of the agent': async (world) => {
    for (let n = 0; n < SESSIONS; n += 1) await initialize(world);
    return '';
  },
  'a move to another process': async (world) => {
    await world.start();
    await world.endFormer();
    return '';
  },
};

/** A service that is asked to end answers the call that is under way. One that is killed cannot. */
async function during(world, wait, signal) {
  const interrupted = wait(LONG_MS).catch((error) => `throws: ${error.message}`);
  await world.untilCalled();
  await world.end(signal);
  await world.start();
  const text = await Promise.race([interrupted, sleep(PATIENCE_MS, 'still waits', { ref: false })]);
  if (signal === 'SIGTERM' && !text.includes('the service is restarting'))
    throw new Error(`the call that was under way: ${text}`);
  return text;
}

async function initialize(world) {
  const clientInfo = { name: 'crowd', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const headers = {
    authorization: `Bearer ${world.key}`,
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
  const response = await fetch(`${world.url}/mcp`, { method: 'POST', headers, body });
  if (response.status !== 200)
    throw new Error(`initialize gave ${response.status}: ${await response.text()}`);
  await response.text();
}
