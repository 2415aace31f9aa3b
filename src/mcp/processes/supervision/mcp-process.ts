import type { ChildProcessByStdio } from 'node:child_process';
import type { Readable, Writable } from 'node:stream';
import type { Egress } from '../network/egress.js';
import type { Refusals } from '../network/refusals.js';
import { settlesWithin } from '../connection/settles-within.js';
import type { ControlGroup } from '../sandbox/control-groups.js';
import { removeRunFolder, type RunFolder } from '../sandbox/run-folder.js';
import { endProcess, STOP_LADDER, type StopLadder } from './end-process.js';
import type { ProcessTree } from './process-tree.js';

/** A child process with its three standard streams as pipes. */
export type PipedProcess = ChildProcessByStdio<Writable, Readable, Readable>;

/** The group of the server is removed once the reason has been read from it. */
const REASON_MS = 1_000;

/** One running server: its process, all processes that came out of it, and the folder of this start. */
export class McpProcess {
  /** Settles when the leader has ended. The 'close' event would not do: a grandchild may still hold the pipes. */
  readonly exited: Promise<string>;
  /** Whether the kernel ended it because the memory of its group was used up; settles when the leader has ended. */
  readonly ranOutOfMemory: Promise<boolean>;
  private ending: Promise<void> | null = null;

  constructor(
    readonly process: PipedProcess,
    readonly tree: ProcessTree,
    private readonly run: RunFolder,
    private readonly options: {
      egress?: Egress | null;
      group?: ControlGroup | null;
      stopLadder?: StopLadder;
    } = {},
  ) {
    this.exited = new Promise((resolve) => {
      process.once('exit', (code, signal) =>
        resolve(signal ? `was ended by ${signal}` : `exited with code ${code}`),
      );
    });
    this.ranOutOfMemory = this.exited.then(async () => (await options.group?.ranOutOfMemory()) ?? false);
  }

  get pid(): number {
    return this.process.pid ?? 0;
  }

  /** The folder of this start, with the temporary files of the server. */
  get folder(): string {
    return this.run.path;
  }

  /** What the network rule of the server has refused; null for a server in the host's network. */
  get refusals(): Refusals | null {
    return this.options.egress?.refusals ?? null;
  }

  /** Ends the server and all its descendants; resolves when none is left. A second call joins the first. */
  end(ladder = this.options.stopLadder ?? STOP_LADDER): Promise<void> {
    this.ending ??= this.endAll(ladder);
    return this.ending;
  }

  private async endAll(ladder: StopLadder): Promise<void> {
    const { stdin, stdout, stderr } = this.process;
    await endProcess({ stdin, exited: this.exited, tree: this.tree }, ladder);
    for (const stream of [stdin, stdout, stderr]) stream.destroy();
    this.options.egress?.close();
    await settlesWithin(this.ranOutOfMemory, REASON_MS);
    await this.options.group?.remove();
    await removeRunFolder(this.run);
  }
}
