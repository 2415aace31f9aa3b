import { createHash } from 'node:crypto';
import { createServer } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { root } from './paths.mjs';

/**
 * Runs `work` while no other process of this checkout does, because two installs or builds at the same time would
 * overwrite each other. The lock is a name in Linux's abstract socket namespace: only one process can hold it, and it
 * is released whenever its owner dies. Other platforms have no such namespace, and no lock.
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
  let reported = false;
  for (;;) {
    const lock = await listen(name);
    if (lock) return lock;
    if (!reported)
      console.error('Waiting for another process to finish installing or building in this folder …');
    reported = true;
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
