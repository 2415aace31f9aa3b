import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { aProject, type Project } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { alive, type Descendant, descendantsOf } from '../../support/descendants.js';
import { MarkedServers } from '../../support/marked-servers.js';
import { ReconnectingReader } from '../../support/reconnecting-reader.js';
import { startService, useService, type Service } from '../../support/service.js';
import { SteadyLoad } from '../../support/steady-load.js';
import { until } from '../../support/until.js';
import { clientKinds, closeClients } from '../gateway/mcp-clients.js';
import { grant, installed } from '../gateway/mcp-setting.js';

interface State {
  name: string;
  kind: string;
  state: string;
  since: string;
  restarts: number;
}

const processesOf = async (service: Service) =>
  (await service.owner.get<{ processes: State[] }>('/api/info')).body.processes;
/** The processes of the start by name, from the operating system. */
const pidsOf = (service: Service) =>
  new Map(
    descendantsOf(service.pid).flatMap((one): [string, Descendant][] => {
      const name = /--part=\{"name":"([\w-]+)"/.exec(one.command)?.[1];
      return name ? [[name, one]] : [];
    }),
  );
const isWhole = async (service: Service) => {
  const states = await processesOf(service).catch(() => []);
  return states.length === 4 && states.every(({ state }) => state === 'ready');
};

describe('a start that is divided among processes', () => {
  const servers = new MarkedServers();
  let service: Service;
  let editor: Caller;
  let agents: Caller[];
  let project: Project;
  beforeAll(async () => {
    service = await startService({
      ownProcess: true,
      settings: { PROCESSES: '3', CATALOG_DIRS: servers.catalog.folder, RATE_LIMIT_PER_MINUTE: '0' },
    });
    editor = await asEditor(service);
    agents = [await asAgent(service), await asAgent(service)];
    project = await aProject(editor);
  });
  afterAll(async () => {
    await closeClients();
    await servers.stop();
    await service?.remove();
    servers.remove();
  });

  /** Runs this under requests, tool calls and a reader of events, and returns what failed. */
  async function underLoad(server: { slug: string }, work: () => Promise<void>): Promise<string[]> {
    const load = new SteadyLoad();
    load.addRest(editor.unchecked(), agents[0]!.unchecked(), project);
    for (const kind of clientKinds)
      for (const agent of agents) await load.addMcp(agent, kind, `${server.slug}__work`, 50);
    const issues = async () =>
      (await service.owner.get<{ id: string }[]>(`/api/projects/${project.id}/issues?limit=1000`)).body;
    const reader = await ReconnectingReader.begin(editor);
    // Those that are made from now on come to the reader.
    const before = new Set((await issues()).map(({ id }) => id));
    await load.goesOnSince(performance.now());
    await work();
    await load.goesOnSince(performance.now());
    await load.end();
    const made = (await issues()).filter(({ id }) => !before.has(id));
    await until(() => {
      const seen = new Set(reader.subjectsOf('issue.created'));
      return made.every(({ id }) => seen.has(id));
    });
    const created = reader.subjectsOf('issue.created');
    expect(created.length).toBe(new Set(created).size);
    await reader.stop();
    return load.failures.map(({ by, failure }) => `${by}: ${failure}`);
  }

  it('has three processes for requests behind one address, and one for servers', async () => {
    expect((await processesOf(service)).map(({ name, kind, state }) => `${name} ${kind} ${state}`)).toEqual([
      'api-1 api ready',
      'api-2 api ready',
      'api-3 api ready',
      'host host ready',
    ]);
    await until(async () => {
      await Promise.all(Array.from({ length: 12 }, () => service.owner.get('/api/projects')));
      return ['api-1', 'api-2', 'api-3'].every((name) =>
        new RegExp(`"process":"${name}","context":"Request"[^\\n]*"route":"/api/projects"`).test(service.log),
      );
    });
  });

  it('shows the metrics of all of them at once', async () => {
    const { text } = await service.owner.get('/metrics');
    for (const name of ['api-1', 'api-2', 'api-3', 'host'])
      expect(text).toMatch(new RegExp(`^awp_process_start_time_seconds\\{process="${name}"\\} \\d+`, 'm'));
    expect(text).toMatch(/^awp_process_ready\{process="host",kind="host"\} 1$/m);
    expect(text.match(/^# TYPE awp_http_request_duration_seconds /gm)).toHaveLength(1);
  });

  it('uses no more connections than one process does', async () => {
    const [row] = await service.sql<{ count: string }>(
      `SELECT count(*) FROM pg_stat_activity WHERE application_name = 'agent-work-platform' AND datname = current_database()`,
    );
    expect(Number(row!.count)).toBeLessThanOrEqual(12 + 4 + 4 * 2);
  });

  it('goes on when any of its processes is killed: the others answer, no call is made twice, and it is started again', async () => {
    const server = await installed(service, 'shared');
    for (const agent of agents) await grant(service, server, agent);
    for (const name of ['api-2', 'api-1', 'host']) {
      const former = servers.calls([service.dataDir]).length;
      const failures = await underLoad(server, async () => {
        const { pid } = pidsOf(service).get(name)!;
        process.kill(pid, 'SIGKILL');
        await until(async () => (await isWhole(service)) && pidsOf(service).get(name)?.pid !== pid, 120);
      });
      // Each load counts its calls from 1.
      const made = servers.calls([service.dataDir]).slice(former);
      expect(made.filter((mark, at) => made.indexOf(mark) !== at)).toEqual([]);
      const isCall = (failure: string) => failure.includes('__work');
      // Those that the killed process had, and for the host calls until it is there again.
      expect(failures.filter((failure) => !isCall(failure)).length).toBeLessThanOrEqual(
        name === 'host' ? 0 : 4,
      );
      if (name !== 'host') expect(failures.filter(isCall).length).toBeLessThanOrEqual(4);
    }
    expect((await processesOf(service)).map(({ restarts }) => restarts)).toEqual([1, 1, 0, 1]);
  }, 600_000);

  it('is replaced process by process at SIGHUP, without a failed request, a cut call, or a gap in the events', async () => {
    const server = await installed(service, 'own');
    for (const agent of agents) await grant(service, server, agent);
    const before = await processesOf(service);
    const former = [...pidsOf(service).values()];
    const failures = await underLoad(server, async () => {
      service.reload();
      await until(() => service.log.includes('SIGHUP: every process was replaced.'), 300);
    });
    expect(failures).toEqual([]);
    for (const { name, since } of await processesOf(service))
      expect(before.find((one) => one.name === name)?.since).not.toBe(since);
    await closeClients();
    await until(() => alive(former).length === 0);
  }, 600_000);

  it('ends with all of its processes, and also when it is killed', async () => {
    const all = descendantsOf(service.pid).filter(({ command }) => !command.includes('postgres'));
    expect(all.length).toBeGreaterThanOrEqual(4);
    await service.kill();
    await until(() => alive(all).length === 0);
    await service.start();
    const again = descendantsOf(service.pid);
    expect(await service.stop()).toEqual({ code: 0, signal: null });
    expect(alive(again)).toEqual([]);
  });
});

describe('a divided start with a rate limit', () => {
  const service = useService({
    ownProcess: true,
    settings: { PROCESSES: '2', RATE_LIMIT_PER_MINUTE: '120' },
  });

  it('counts the requests of a key once, whichever process they reach', async () => {
    const person = service.owner.unchecked();
    const answers = await Promise.all(
      Array.from({ length: 240 }, async () => (await person.get('/api/projects?limit=1')).status),
    );
    expect(answers.filter((status) => status === 200).length).toBeLessThanOrEqual(120);
    expect(answers.filter((status) => status === 429).length).toBeGreaterThanOrEqual(120);
  });
});

describe('a divided start that cannot succeed', () => {
  it('ends with the reason of the process that failed, and leaves none behind', async () => {
    const failed = startService({
      ownProcess: true,
      settings: { PROCESSES: '2', OUTBOUND_ALLOWED_HOSTS: '', CATALOG_DIRS: '/nonexistent/catalogue' },
    });
    await expect(failed).rejects.toThrow(/"code":78[^]*CATALOG_DIRS/);
  });
});
