import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

const HOST = resolve(import.meta.dirname, 'service-host.mjs');
const END_WITH_PARENT = resolve(import.meta.dirname, 'end-with-parent.mjs');

/**
 * Starts two service hosts per Jest worker: a host has one service at a time, and a test may need two. They load the
 * service when the first test file asks for one.
 */
export function startServiceHosts(workers) {
  const folder = mkdtempSync(join(tmpdir(), 'awp-hosts-'));
  const names = Array.from({ length: workers }, (_, index) => [`${index + 1}-first`, `${index + 1}-second`]);
  const hosts = names.flat().map((name) => new ServiceHost(join(folder, name)));
  return {
    folder,
    async stop() {
      await Promise.all(hosts.map((host) => host.stop()));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

class ServiceHost {
  #path;
  #process;

  constructor(path) {
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
    const args = ['--max-semi-space-size=32', '--import', END_WITH_PARENT, HOST, `${this.#path}.sock`];
    this.#process = spawn(process.execPath, args, { stdio: ['pipe', log, log] });
    closeSync(log);
    this.#process.stdin.on('error', () => undefined);
    this.#process.once('exit', this.#startAgain);
  }

  /** A crash fails the test file that it meets; the files after it have a host again. */
  #startAgain = (code, signal) => {
    console.error(`A service host ended (${signal ?? code}); its output ends with:`);
    console.error(readFileSync(`${this.#path}.log`, 'utf8').slice(-4_000));
    rmSync(`${this.#path}.sock`, { force: true });
    this.#start();
  };
}
