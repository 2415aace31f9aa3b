// @ts-check
import { spawn } from 'node:child_process';

/**
 * Makes a child end when this process ends in any way, kill -9 included. A shell beside it waits for the end of its
 * standard input, a pipe from this process that the kernel closes.
 * @template {import('node:child_process').ChildProcess} Child
 * @param {Child} child
 * @param {'TERM' | 'KILL'} signal
 * @returns {Child}
 */
export function endWithMe(child, signal) {
  const script = `read -r _; kill -${signal} ${child.pid}`;
  const watcher = spawn('sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  watcher.unref();
  // A pid can be used again.
  child.once('exit', () => watcher.kill('SIGKILL'));
  return child;
}
