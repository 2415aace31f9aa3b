import { once } from 'node:events';
import { WebSocket } from './worker/undici.cjs';
import { until } from './until.js';

const LISTENING = /Debugger listening on ws:\/\/([\d.:]+)\//;

/**
 * The memory that a process holds, read through its inspector: what is left of the heap, and of the memory outside of it,
 * after a full collection. Without one the figures count garbage, which V8 leaves alone for as long as it needs no room.
 * The process is started with `--inspect=127.0.0.1:0`.
 */
export class HeldMemory {
  private last = 0;
  private readonly asked = new Map<number, (result: unknown) => void>();

  private constructor(private readonly socket: WebSocket) {
    socket.addEventListener('message', ({ data }) => {
      const { id, result } = JSON.parse(String(data)) as { id: number; result: unknown };
      this.asked.get(id)?.(result);
      this.asked.delete(id);
    });
  }

  /** @param service whose log names the address of its inspector */
  static async of(service: { readonly log: string }): Promise<HeldMemory> {
    const address = await until(() => LISTENING.exec(service.log)?.[1]);
    const targets = await fetch(`http://${address}/json/list`).then((answer) => answer.json());
    const socket = new WebSocket((targets as { webSocketDebuggerUrl: string }[])[0]!.webSocketDebuggerUrl);
    await once(socket, 'open');
    return new HeldMemory(socket);
  }

  /** In bytes. It collects twice, because what the first collection lets go of may hold more. */
  async bytes(): Promise<number> {
    await this.ask('HeapProfiler.collectGarbage');
    await this.ask('HeapProfiler.collectGarbage');
    const { result } = await this.ask<{ result: { value: NodeJS.MemoryUsage } }>('Runtime.evaluate', {
      expression: 'process.memoryUsage()',
      returnByValue: true,
    });
    return result.value.heapUsed + result.value.external;
  }

  close(): void {
    this.socket.close();
  }

  private ask<Result>(method: string, params: object = {}): Promise<Result> {
    const id = (this.last += 1);
    const answered = new Promise<unknown>((resolve) => this.asked.set(id, resolve));
    this.socket.send(JSON.stringify({ id, method, params }));
    return answered as Promise<Result>;
  }
}
