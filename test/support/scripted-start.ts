import type { FirstOwner, FromParent } from '../../src/platform/config/parent-channel.js';
import { partsFor, type Part } from '../../src/platform/config/process-roles-and-plan.js';
import { Primary, type Supervised } from '../../src/platform/processes/process-supervisor.js';
import type { Ended, Ready } from '../../src/platform/processes/supervised-process.js';

const READY: Ready = { awp: 'ready', address: 'http://127.0.0.1:1', port: 1, sandbox: 'none', owner: null };

/** A process that does what a test says. */
class ScriptedProcess implements Supervised {
  readonly since = new Date();
  readonly startedAt = performance.now() - 3_600_000;
  readonly prepared: Promise<void>;
  readonly ready: Promise<Ready>;
  readonly ended: Promise<Ended>;
  state: Supervised['state'] = 'starting';
  hasEnded = false;
  readonly sent: FromParent[] = [];
  becomeReady!: (owner?: FirstOwner | null) => void;
  becomePrepared!: () => void;
  endWith!: (ended: Ended) => void;

  constructor(
    readonly part: Part,
    readonly pid: number,
  ) {
    this.prepared = new Promise((resolve) => (this.becomePrepared = resolve));
    this.ready = new Promise((resolve) => {
      this.becomeReady = (owner = null) => {
        this.becomePrepared();
        this.state = 'ready';
        resolve({ ...READY, owner });
      };
    });
    this.ended = new Promise((resolve) => {
      this.endWith = (ended) => {
        this.hasEnded = true;
        resolve(ended);
      };
    });
  }

  send(message: FromParent): void {
    this.sent.push(message);
  }

  async ask(): Promise<unknown> {
    return this.part.name;
  }

  end(): void {
    this.state = 'ending';
  }

  kill(): void {
    this.endWith({ code: null, how: 'ended with SIGKILL' });
  }

  get isTold(): boolean {
    return this.state === 'ending';
  }
}

/** A supervisor whose processes are scripted. */
export class ScriptedStart {
  readonly all: ScriptedProcess[] = [];
  readonly lines: string[] = [];
  readonly primary: Primary;

  constructor(apis: number) {
    const write = (line: string) => void this.lines.push(line);
    const start = (part: Part) => {
      const process = new ScriptedProcess(part, this.all.length + 1);
      this.all.push(process);
      return process;
    };
    this.primary = new Primary(
      partsFor(apis, 'all'),
      { log: write, warn: write, error: write },
      (owner) => write(`Owner ${owner.email}`),
      start,
    );
  }

  static async started(): Promise<ScriptedStart> {
    const scene = new ScriptedStart(2);
    const ready = scene.primary.start(Promise.resolve('postgres://one'));
    for (const process of scene.all) process.becomeReady();
    await ready;
    scene.last.becomeReady();
    await scene.settle();
    return scene;
  }

  /** The processes of a part that have not ended. */
  of(name: string): ScriptedProcess[] {
    return this.all.filter(({ part, hasEnded }) => part.name === name && !hasEnded);
  }

  get last(): ScriptedProcess {
    return this.all.at(-1)!;
  }

  /** Lets everything happen that waits for no timer. */
  async settle(): Promise<void> {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate);
  }

  /** Makes the processes that a replacement starts ready, one after the other, until there are no more. */
  async replaceTheRest(): Promise<void> {
    for (let known = 0; known < this.all.length;) {
      known = this.all.length;
      this.last.becomeReady();
      await this.settle();
    }
  }
}
