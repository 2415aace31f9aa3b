import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { aProject, type Issue } from '../../support/builders.js';
import type { Caller } from '../../support/caller.js';
import { asAgent, asEditor } from '../../support/callers.js';
import { Following } from '../../support/following.js';
import { hasNginx, Nginx } from '../../support/nginx.js';
import { startService, type Service } from '../../support/service.js';
import { until } from '../../support/until.js';

const ROUNDS = process.env['TEST_SIZE'] === 'full' ? 20 : 1;
const WRITERS = 6;
const behindNginx = hasNginx ? describe : describe.skip;

interface PickedUp {
  pickedUp: { issue: Issue }[];
}

behindNginx('two processes behind nginx, of which one or the other is killed under load', () => {
  let services: [Service, Service];
  let nginx: Nginx;
  let editor: Caller;
  let agent: Caller;
  let onlooker: Caller;
  beforeAll(async () => {
    const first = await startService({ settings: { TRUSTED_PROXIES: '127.0.0.1' } });
    services = [first, await first.second()];
    nginx = await Nginx.before(...services);
    const through = nginx.in(first);
    editor = (await asEditor(first)).at(through).unchecked();
    onlooker = (await asEditor(first)).at(services[1]);
    agent = (await asAgent(first, { maxConcurrentIssues: 1000 })).at(through).unchecked();
  });
  afterAll(async () => {
    await nginx?.stop();
    await services?.[0].remove();
  });

  it(
    'lose nothing that was acknowledged, hand no issue out twice, and no reader misses or repeats an event',
    async () => {
      const project = await aProject(editor);
      const reader = await Following.begin(editor);
      const load = new Load(editor, agent, project.id);
      load.begin();
      for (let round = 0; round < ROUNDS; round++) {
        await load.goesOn();
        await killAndStart(services[round % 2]!);
      }
      await load.goesOn();
      await load.end();
      await until(() => load.made.every((id) => reader.subjectsOf('issue.created').includes(id)), 60);
      await reader.stop();
      const ids = reader.events.map(({ id }) => id);
      expect(new Set(ids).size).toBe(ids.length);
      const inDatabase = await services[0].sql<{ id: string }>(
        'SELECT id FROM issues WHERE project_id = $1',
        [project.id],
      );
      expect(inDatabase.map(({ id }) => id).toSorted()).toEqual(load.made.toSorted());
      expect(reader.subjectsOf('issue.created').toSorted()).toEqual(load.made.toSorted());
      expect(new Set(load.pickedUp).size).toBe(load.pickedUp.length);
      expect(load.pickedUp.length).toBeGreaterThan(0);
      expect((await onlooker.get('/api/auth/me')).status).toBe(200);
    },
    120_000 + ROUNDS * 30_000,
  );
});

/** Writers and a worker that try again until they are answered, as clients do. */
class Load {
  readonly made: string[] = [];
  readonly pickedUp: string[] = [];
  private ending = false;
  private readonly loops: Promise<void>[] = [];

  constructor(
    private readonly editor: Caller,
    private readonly agent: Caller,
    private readonly projectId: string,
  ) {}

  begin(): void {
    for (let at = 0; at < WRITERS; at++) this.loops.push(this.loop(() => this.write()));
    for (let at = 0; at < 2; at++) this.loops.push(this.loop(() => this.heartbeat()));
  }

  /** Waits until more was made and handed out. */
  async goesOn(): Promise<void> {
    const [made, pickedUp] = [this.made.length, this.pickedUp.length];
    await until(() => this.made.length > made + 20 && this.pickedUp.length > pickedUp, 60);
  }

  async end(): Promise<void> {
    this.ending = true;
    await Promise.all(this.loops);
  }

  private async loop(step: () => Promise<void>): Promise<void> {
    while (!this.ending) await step();
  }

  /** The key makes it one issue however often it is sent. */
  private async write(): Promise<void> {
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { title: 'made under load', assignedAgentId: this.agent.id };
    for (;;) {
      const answer = await this.editor
        .post<Issue>(`/api/projects/${this.projectId}/issues`, body, { headers })
        .catch(() => null);
      if (answer?.status === 201) return void this.made.push(answer.body.id);
      await sleep(100);
    }
  }

  private async heartbeat(): Promise<void> {
    const path = `/api/agents/${this.agent.id}/heartbeat`;
    const answer = await this.agent.post<PickedUp>(path, { capacity: 5 }).catch(() => null);
    if (answer?.status === 200) this.pickedUp.push(...answer.body.pickedUp.map(({ issue }) => issue.id));
    await sleep(50);
  }
}

async function killAndStart(service: Service): Promise<void> {
  const { port } = new URL(service.baseUrl);
  await service.kill();
  await service.start({ PORT: port });
}
