import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { LocalCatalog } from '../api/mcp/local-catalog.js';

const EVERY_MS = 40;

/** A process of one of the servers. */
interface MarkedProcess {
  pid: number;
  /** The server, and the agent where each has a process. */
  of: string;
}

/**
 * A server that agents share, and one with a process per agent, both of `call-marks.mjs`. Their processes and their calls
 * are found on all tools hosts of this machine, by a mark of this test run.
 */
export class MarkedServers {
  readonly mark = `marked-${process.pid}`;
  readonly catalog = new LocalCatalog()
    .stdio('shared', ['call-marks.mjs', `${this.mark}-shared`])
    .stdio('own', ['call-marks.mjs', `${this.mark}-own`], { manifest: { sharing: 'agent' } });
  /** What was seen running twice at the same time. */
  readonly twice: string[] = [];
  /** How often the processes were counted. */
  looks = 0;
  private isWatching = true;
  private watching: Promise<void> | null = null;

  /** Counts the processes of each server and scope again and again, until `stop`. */
  watch(): void {
    this.watching = this.look();
  }

  async stop(): Promise<void> {
    this.isWatching = false;
    await this.watching;
  }

  /** The processes on this machine, of every host. */
  processes(): MarkedProcess[] {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((name) => {
        const [command = '', ...args] = fieldsOf(`/proc/${name}/cmdline`);
        // The processes of the sandbox name the server too.
        if (basename(command) !== 'node' || !args.at(-1)?.startsWith(this.mark)) return [];
        const home = fieldsOf(`/proc/${name}/environ`).find((field) => field.startsWith('HOME='));
        // The data folders of two hosts differ above the folder of their servers.
        return home ? [{ pid: Number(name), of: home.split('/').slice(-4, -1).join('/') }] : [];
      });
  }

  /** The marks of all calls that reached a process, from the data folders of the hosts. */
  calls(dataDirs: string[]): string[] {
    return dataDirs.flatMap((folder) =>
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => basename(name) === 'marks')
        .flatMap((name) => readFileSync(join(folder, name), 'utf8').split('\n').filter(Boolean)),
    );
  }

  remove(): void {
    this.catalog.remove();
  }

  private async look(): Promise<void> {
    for (; this.isWatching; await sleep(EVERY_MS)) {
      this.looks += 1;
      const names = this.processes().map((one) => one.of);
      this.twice.push(...names.filter((name, at) => names.indexOf(name) !== at));
    }
  }
}

function fieldsOf(path: string): string[] {
  try {
    return readFileSync(path, 'latin1').split('\0').filter(Boolean);
  } catch {
    // It has ended meanwhile.
    return [];
  }
}
