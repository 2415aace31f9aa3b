import { expect } from '@jest/globals';
import { aProject, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { type Descendant, descendantsOf } from '../../support/descendants.js';
import { MarkedServers } from '../../support/marked-servers.js';
import { ReconnectingReader } from '../../support/reconnecting-reader.js';
import { startService, type Service } from '../../support/service.js';
import { SteadyLoad } from '../../support/steady-load.js';
import { until } from '../../support/until.js';
import { clientKinds, closeClients, connect } from '../gateway/mcp-clients.js';
import { grant, installed } from '../gateway/mcp-setting.js';

interface State {
  name: string;
  kind: string;
  state: string;
  since: string;
  restarts: number;
}

/** The processes of a start with their parts, from the operating system: also those that are not ready, or that others have replaced. */
export function partsOf(supervisor: number): { name: string; process: Descendant }[] {
  return descendantsOf(supervisor).flatMap((process) => {
    const name = /--part=\{"name":"([\w-]+)"/.exec(process.command)?.[1];
    return name ? [{ name, process }] : [];
  });
}

/** A start that is divided among processes, with an MCP server that notes each call, and the load that it is put under. */
export class DividedStart {
  private constructor(
    readonly service: Service,
    private readonly servers: MarkedServers,
    private readonly editor: Caller,
    private readonly agents: Caller[],
    private readonly project: Project,
  ) {}

  /** @param apis how many processes answer requests */
  static async begin(apis: number): Promise<DividedStart> {
    const servers = new MarkedServers();
    const service = await startService({
      ownProcess: true,
      settings: {
        PROCESSES: String(apis),
        CATALOG_DIRS: servers.catalog.folder,
        RATE_LIMIT_PER_MINUTE: '0',
      },
    });
    const editor = await asEditor(service);
    const agents = [await asAgent(service), await asAgent(service)];
    return new DividedStart(service, servers, editor, agents, await aProject(editor));
  }

  /** Installs a server that both agents may call. */
  async server(kind: 'shared' | 'own') {
    const server = await installed(this.service, kind);
    for (const agent of this.agents) await grant(this.service, server, agent);
    return server;
  }

  /** What the service says of its processes. */
  async processes(): Promise<State[]> {
    return (await this.service.owner.get<{ processes: State[] }>('/api/info')).body.processes;
  }

  /** How often all processes were replaced. */
  private get replacements(): number {
    return this.service.log.split('SIGHUP: every process was replaced.').length - 1;
  }

  /** The processes of the start by name, from the operating system. */
  get pids(): Map<string, Descendant> {
    return new Map(partsOf(this.service.pid).map(({ name, process }) => [name, process]));
  }

  /**
   * Kills a process under load. The others must answer meanwhile, no call is made twice, and the process is started again: what
   * fails is what the killed one had, and calls until their host is there again.
   */
  async kill(name: string, server: { slug: string }): Promise<void> {
    const former = this.servers.calls([this.service.dataDir]).length;
    const { pid } = this.pids.get(name)!;
    const failures = await this.underLoad(server, async () => {
      process.kill(pid, 'SIGKILL');
      // Before it is started again, the others are whole without it.
      await until(() => ![undefined, pid].includes(this.pids.get(name)?.pid), 120);
      await this.whole();
    });
    // Each load counts its calls from 1.
    const made = this.servers.calls([this.service.dataDir]).slice(former);
    expect(made.filter((mark, at) => made.indexOf(mark) !== at)).toEqual([]);
    const isCall = (failure: string) => failure.includes('__work');
    const requests = failures.filter((failure) => !isCall(failure));
    expect(requests.slice(name === 'host' ? 0 : 4)).toEqual([]);
    if (name !== 'host') expect(failures.filter(isCall).slice(4)).toEqual([]);
  }

  /** Replaces all processes while a call runs, and returns what that call returned. */
  async replaceAllDuring(server: { slug: string }, mark: string, ms: number): Promise<string> {
    const client = await connect(this.agents[0]!, clientKinds[0]);
    const call = client.call(`${server.slug}__work`, { mark, ms });
    await until(() => this.servers.calls([this.service.dataDir]).includes(mark));
    const former = this.replacements;
    this.service.reload();
    await until(() => this.replacements > former, 120);
    return (await call).text;
  }

  /** Replaces all processes under load: nothing may fail. */
  async replaceAll(server: { slug: string }): Promise<void> {
    const before = await this.processes();
    const former = this.replacements;
    const failures = await this.underLoad(server, async () => {
      this.service.reload();
      await until(() => this.replacements > former, 300);
    });
    expect(failures).toEqual([]);
    for (const { name, since } of await this.processes())
      expect(before.find((one) => one.name === name)?.since).not.toBe(since);
  }

  async end(): Promise<void> {
    await closeClients();
    await this.servers.stop();
    await this.service.remove();
    this.servers.remove();
  }

  /** Resolves when all processes are ready. */
  async whole(): Promise<void> {
    await until(() => this.isWhole(), 120);
  }

  private async isWhole(): Promise<boolean> {
    const states = await this.processes().catch(() => []);
    return states.length === this.pids.size && states.every(({ state }) => state === 'ready');
  }

  /** Runs this under requests, tool calls and a reader of events that may miss none, and returns what failed. */
  private async underLoad(server: { slug: string }, work: () => Promise<void>): Promise<string[]> {
    const load = new SteadyLoad();
    load.addRest(this.editor.unchecked(), this.agents[0]!.unchecked(), this.project);
    // Each kind of client, and each agent: the processors are for the processes that start meanwhile.
    for (const [at, kind] of clientKinds.entries())
      await load.addMcp(this.agents[at % 2]!, kind, `${server.slug}__work`, 50);
    const reader = await ReconnectingReader.begin(this.editor);
    // Those that are made from now on come to the reader.
    const before = new Set(await this.issues());
    await load.goesOnSince(performance.now());
    await work();
    await load.goesOnSince(performance.now());
    await load.end();
    const made = (await this.issues()).filter((id) => !before.has(id));
    await until(() => {
      const seen = new Set(reader.subjectsOf('issue.created'));
      return made.every((id) => seen.has(id));
    });
    const created = reader.subjectsOf('issue.created');
    expect(created.length).toBe(new Set(created).size);
    await reader.stop();
    await closeClients();
    return load.failures.map(({ by, failure }) => `${by}: ${failure}`);
  }

  private async issues(): Promise<string[]> {
    const rows = await this.service.sql<{ id: string }>('SELECT id FROM issues WHERE project_id = $1', [
      this.project.id,
    ]);
    return rows.map(({ id }) => id);
  }
}
