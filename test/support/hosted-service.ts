import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Ending, RunningService } from './running-service.js';

const OWN_PROCESS = 'The service shares a process with others. Pass `ownProcess: true`.';
/** The hosts of each worker (service-hosts.mjs). */
const HOSTS = ['first', 'second'];

/** What the host reports of a service: its address, why it did not start, or that the host has another one. */
interface Report {
  address?: string;
  error?: string;
  taken?: boolean;
  logStart?: number;
}

/** A service in a service host of this Jest worker (service-host.mjs), which has loaded its modules already. */
export class HostedService implements RunningService {
  readonly ended: Promise<Ending>;
  isRunning = true;
  private logEnd: number | undefined;

  private constructor(
    private readonly socket: Socket,
    private readonly logFile: string,
    private readonly report: Report,
  ) {
    this.ended = once(socket, 'close').then(() => {
      this.isRunning = false;
      this.logEnd = readFileSync(logFile).length;
      return { code: 0, signal: null };
    });
  }

  /** Returns null when each host of the worker has a service already: a third one needs a process. */
  static async open(environment: Record<string, string>): Promise<HostedService | null> {
    for (const host of HOSTS) {
      const service = await HostedService.openIn(host, environment);
      if (service) return service;
    }
    return null;
  }

  private static async openIn(
    name: string,
    environment: Record<string, string>,
  ): Promise<HostedService | null> {
    const host = join(process.env['AWP_TEST_HOSTS']!, `${process.env['JEST_WORKER_ID']!}-${name}`);
    const socket = connect(`${host}.sock`).on('error', () => undefined);
    socket.write(`${JSON.stringify(environment)}\n`);
    const lines = createInterface(socket);
    const [line] = (await Promise.race([once(lines, 'line'), once(lines, 'close')])) as [string?];
    if (line === undefined)
      throw new Error(`The service host ended:\n${readFileSync(`${host}.log`, 'utf8')}`);
    const report = JSON.parse(line) as Report;
    if (report.taken) socket.destroy();
    return report.taken ? null : new HostedService(socket, `${host}.log`, report);
  }

  get pid(): number {
    throw new Error(OWN_PROCESS);
  }

  /** What the host has written since this service was opened. */
  get log(): string {
    return readFileSync(this.logFile).subarray(this.report.logStart, this.logEnd).toString('utf8');
  }

  async ready(): Promise<string> {
    const { address, error } = this.report;
    if (!address) throw new Error(`The service did not start: ${error}\n${this.log}`);
    return address;
  }

  signal(): void {
    throw new Error(OWN_PROCESS);
  }

  /** Shuts the service down as SIGTERM does. */
  end(): Promise<Ending> {
    this.socket.end();
    return this.ended;
  }
}
