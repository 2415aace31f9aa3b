import { spawn } from 'node:child_process';
import { root } from './paths.mjs';

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];

/** Runs a command in the checkout on this terminal, forwards signals to it, and resolves with its exit code. */
export function run(command, args, { env = {}, stdio = 'inherit' } = {}) {
  const child = spawn(command, args, { cwd: root, stdio, env: { ...process.env, ...env } });
  const forward = (signal) => child.kill(signal);
  for (const signal of signals) process.on(signal, forward);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      for (const name of signals) process.off(name, forward);
      resolve(code ?? 128 + (signal === 'SIGINT' ? 2 : 15));
    });
  });
}

/** A required command ended with a code other than 0, after it reported the reason itself. */
export class CommandFailed extends Error {
  constructor(code) {
    super(`A command ended with code ${code}`);
    this.code = code;
  }
}

export async function mustRun(command, args, options) {
  const code = await run(command, args, options);
  if (code !== 0) throw new CommandFailed(code);
}
