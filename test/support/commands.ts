import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { join, resolve } from 'node:path';
import { text } from 'node:stream/consumers';

/** How a command ended, and what it printed. */
export interface Ended {
  code: number;
  stdout: string;
  stderr: string;
}

/** Returns the path of a command of `scripts`. */
export const commandNamed = (name: string): string =>
  resolve(import.meta.dirname, `../../scripts/${name}.mjs`);

/** Runs a command with only these settings in the command host of this Jest worker, which has loaded its modules already. */
export async function runHosted(
  script: string,
  args: string[],
  settings: Record<string, string>,
): Promise<Ended> {
  const folder = process.env['AWP_TEST_HOSTS'];
  // A script beside the tests has no hosts. Node itself reads its options at its start.
  if (!folder || settings['NODE_OPTIONS']) return runAlone(script, args, settings);
  const socket = connect(join(folder, `${process.env['JEST_WORKER_ID']!}-commands.sock`));
  await once(socket, 'connect');
  socket.write(`${JSON.stringify({ script, args, environment: { ...ofThisHost(), ...settings } })}\n`);
  const response = await text(socket);
  socket.end();
  if (!response) throw new Error('The command host ended.');
  return JSON.parse(response) as Ended;
}

/**
 * Runs a command with only these settings in a process of its own: for tests that run two at once, and for one of each
 * kind, which shows that the process ends with the exit code.
 */
export function runAlone(script: string, args: string[], settings: Record<string, string>): Promise<Ended> {
  return new Promise((done) => {
    execFile(
      process.execPath,
      [script, ...args],
      { env: { ...ofThisHost(), ...settings } },
      (error, stdout, stderr) => done({ code: error ? Number(error.code) : 0, stdout, stderr }),
    );
  });
}

function ofThisHost(): Record<string, string> {
  const { PATH = '', HOME = '' } = process.env;
  return { PATH, HOME };
}
