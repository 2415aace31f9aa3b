import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { constants } from 'node:os';
import process from 'node:process';

/** Ctrl-C, a unit that is stopped, and a terminal that is closed. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];
const PAUSE_MS = 20;
/** PostgreSQL kills its own processes when they do not end in 5 s. */
const PATIENCE_MS = 6_000;

/**
 * Runs `work`, which fills this temporary folder, and removes the folder whether it succeeds, fails, or is interrupted by a
 * signal. The folder holds a whole copy of the data and the key ring, and its database does not get the Ctrl-C of a terminal.
 */
export async function removingOnSignal(folder, work) {
  const end = (signal) => removeAndExit(folder, signal);
  for (const signal of SIGNALS) process.once(signal, end);
  try {
    await work();
  } finally {
    await rm(folder, { recursive: true, force: true });
    for (const signal of SIGNALS) process.off(signal, end);
  }
}

/** Synchronous, so that the work does not go on meanwhile and make files again that were removed. */
function removeAndExit(folder, signal) {
  endProcesses(folder);
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: PAUSE_MS });
  console.error(`Interrupted: ${folder} and its database are removed.`);
  process.exit(128 + constants.signals[signal]);
}

/** Ends PostgreSQL without a checkpoint, and what makes a new database. */
function endProcesses(folder) {
  const deadline = Date.now() + PATIENCE_MS;
  for (const pid of processesOf(folder)) kill(pid, 'SIGQUIT');
  while (processesOf(folder).length > 0) {
    if (Date.now() > deadline) for (const pid of processesOf(folder)) kill(pid, 'SIGKILL');
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS);
  }
}

/** The programs of PostgreSQL, and the one that runs them as another user than root. */
const PROGRAM = /\((postgres|initdb|setpriv)\) [^ZX] /;

/** Those whose command names a path in this folder, but not those that have ended and that this process has not reaped. */
function processesOf(folder) {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => PROGRAM.test(textOf(pid, 'stat')) && textOf(pid, 'cmdline').includes(`${folder}/`))
    .map(Number);
}

function textOf(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return ''; // The process has ended.
  }
}

function kill(pid, signal) {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (error.code !== 'ESRCH') throw error;
  }
}
