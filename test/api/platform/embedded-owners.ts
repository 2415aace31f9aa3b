import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

export interface Owner {
  process: ChildProcess;
  answer: { locked?: true; url?: string; refused?: string };
}

export const ownerProgram = join(import.meta.dirname, 'embedded-owner.mjs');
const owners = new Set<Owner>();

/** Starts another process that takes the data folder, and resolves when it has reported the outcome. */
export async function owner(dataDir: string, what: 'lock' | 'server'): Promise<Owner> {
  const starting = startingOwner(dataDir, what);
  const [line] = (await once(createInterface(starting.process.stdout as Readable), 'line')) as [string];
  starting.answer = JSON.parse(line) as Owner['answer'];
  return starting;
}

/** Like `owner`, but does not wait for the outcome. */
export function startingOwner(dataDir: string, what: 'lock' | 'server'): Owner {
  const child = spawn(process.execPath, [ownerProgram, dataDir, what], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const starting: Owner = { process: child, answer: {} };
  owners.add(starting);
  return starting;
}

/** Kills a process as the kernel does when memory runs out, and waits until it has ended. */
export async function killed({ process: child }: Owner): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const gone = once(child, 'exit');
  child.kill('SIGKILL');
  await gone;
}

export async function endOwners(): Promise<void> {
  await Promise.all([...owners].map(killed));
  owners.clear();
}
