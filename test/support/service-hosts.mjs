import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const SERVICES = resolve(import.meta.dirname, 'service-host.mjs');
const COMMANDS = resolve(import.meta.dirname, 'command-host.mjs');
const END_WITH_PARENT = resolve(import.meta.dirname, 'end-with-parent.mjs');

/** The hosts of each worker: a service host has one service at a time, and a test may need two. */
const KINDS = { first: SERVICES, second: SERVICES, commands: COMMANDS };

/** Starts the hosts of each Jest worker. They load the service, or a command, when the first test file asks for one. */
export function startServiceHosts(workers) {
  const folder = mkdtempSync(join(tmpdir(), 'awp-hosts-'));
  const ofWorker = (worker) =>
    Object.entries(KINDS).map(([kind, script]) => new Host(script, join(folder, `${worker}-${kind}`)));
  const hosts = Array.from({ length: workers }, (_, index) => ofWorker(index + 1)).flat();
  return {
    folder,
    async stop() {
      await Promise.all(hosts.map((host) => host.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

class Host {
  #script;
  #path;
  #process;

  constructor(script, path) {
    this.#script = script;
    this.#path = path;
    this.#start();
  }

  async stop() {
    this.#process.off('exit', this.#startAgain);
    if (!this.#process.kill('SIGKILL')) return;
    await once(this.#process, 'exit');
  }

  #start() {
    const log = openSync(`${this.#path}.log`, 'a');
    const args = [
      '--max-semi-space-size=32',
      '--import',
      END_WITH_PARENT,
      this.#script,
      `${this.#path}.sock`,
    ];
    this.#process = spawn(process.execPath, args, { stdio: ['pipe', log, log] });
    closeSync(log);
    this.#process.stdin.on('error', () => undefined);
    this.#process.once('exit', this.#startAgain);
  }

  /** A crash fails the test file that it meets; the files after it have a host again. */
  #startAgain = (code, signal) => {
    console.error(`A host of tests ended (${signal ?? code}); its output ends with:`);
    console.error(readFileSync(`${this.#path}.log`, 'utf8').slice(-4_000));
    rmSync(`${this.#path}.sock`, { force: true });
    this.#start();
  };
}
