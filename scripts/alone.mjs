import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './paths.mjs';

/**
 * Runs `work` while no other process of this checkout does: two starts at once must not install or build into
 * each other. The lock is a name in Linux' abstract socket space: taken by one only, free when its owner dies,
 * however that happens. Elsewhere there is no such name, and no lock.
 */
export async function alone(work) {
  const lock = process.platform === 'linux' ? await takeName() : null;
  try {
    return await work();
  } finally {
    lock?.close();
  }
}

async function takeName() {
  const name = `\0agent-work-platform-setup-${createHash('sha256').update(root).digest('hex').slice(0, 16)}`;
  let told = false;
  for (;;) {
    const lock = await listen(name);
    if (lock) return lock;
    if (!told) console.error('Waiting for another start in this folder to finish its preparations …');
    told = true;
    await sleep(200);
  }
}

function listen(name) {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once('error', (error) => (error.code === 'EADDRINUSE' ? resolve(null) : reject(error)));
    server.listen({ path: name }, () => resolve(server));
  });
}
