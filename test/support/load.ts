import { expect } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Issue } from './builders.js';
import type { Answer } from './answer.js';
import type { Caller } from './caller.js';
import type { Service } from './service.js';
import { until } from './until.js';

const WRITERS = 6;

interface PickedUp {
  pickedUp: { issue: Issue; lease: { token: number } }[];
}

/** Writers, and the workers of an agent, that retry until they get a response, as clients do. */
export class Load {
  /** Ids of the issues that were acknowledged. */
  readonly made: string[] = [];
  readonly pickedUp: string[] = [];
  /** Ids of the issues whose pickup and change were both acknowledged. */
  readonly resolved: string[] = [];
  private ending = false;
  private abandoned = false;
  private turn = 0;
  private readonly loops: Promise<void>[] = [];
  /** Requests whose first attempt was cut off. Their idempotency keys stay in use for a minute. */
  private readonly later: Promise<void>[] = [];

  private constructor(
    private readonly service: Service,
    private readonly doors: { editor: Caller; agent: Caller }[],
    private readonly projectId: string,
  ) {}

  /** @param doors the same editor and the same agent at each address of the service */
  static begin(service: Service, doors: { editor: Caller; agent: Caller }[], project: { id: string }): Load {
    const unchecked = doors.map(({ editor, agent }) => ({
      editor: editor.unchecked(),
      agent: agent.unchecked(),
    }));
    const load = new Load(service, unchecked, project.id);
    for (let at = 0; at < WRITERS; at++) load.loops.push(load.loop(() => load.write(at)));
    for (let at = 0; at < 2; at++) load.loops.push(load.loop(() => load.work(at)));
    return load;
  }

  /** Fails unless every acknowledged change is stored. Call it after the end of the load. */
  async expectKept(): Promise<void> {
    const made = await this.service.sql<{ id: string; status: string }>(
      'SELECT id, status FROM issues WHERE project_id = $1',
      [this.projectId],
    );
    expect(made.map(({ id }) => id).toSorted()).toEqual(this.made.toSorted());
    const resolved = made.filter(({ status }) => status === 'Resolved').map(({ id }) => id);
    expect(this.resolved.filter((id) => !resolved.includes(id))).toEqual([]);
  }

  /** Waits until more issues were created, picked up and resolved. */
  async goesOn(): Promise<void> {
    const [made, resolved] = [this.made.length, this.resolved.length];
    await until(() => this.made.length > made + 10 && this.resolved.length > resolved, 120);
  }

  /** Waits for the last responses, but not for the minute of requests that were cut off. */
  async end(): Promise<void> {
    this.ending = true;
    await Promise.all(this.loops);
    await this.service.sql(
      `UPDATE idempotency_keys SET claimed_at = claimed_at - interval '1 minute' WHERE status IS NULL`,
    );
    await Promise.all(this.later);
  }

  /** Ends the load of a failed test without waiting for open requests. */
  async abandon(): Promise<void> {
    this.ending = this.abandoned = true;
    await Promise.all([...this.loops, ...this.later]);
  }

  private async loop(step: () => Promise<void>): Promise<void> {
    while (!this.ending) await step();
  }

  /** The idempotency key makes it one issue however often it is sent. */
  private async write(at: number): Promise<void> {
    const headers = { 'Idempotency-Key': randomUUID() };
    while (!this.abandoned) {
      const answer = await this.send(at, headers);
      if (answer?.status === 409) return void this.later.push(this.again(at, headers));
      if (answer?.status === 201) return void this.made.push(answer.body.id);
      await sleep(100);
    }
  }

  private async again(at: number, headers: Record<string, string>): Promise<void> {
    while (!this.abandoned) {
      const answer = await this.send(at, headers);
      if (answer?.status === 201) return void this.made.push(answer.body.id);
      await sleep(1_000);
    }
  }

  private send(at: number, headers: Record<string, string>): Promise<Answer<Issue> | null> {
    const { editor, agent } = this.door(at);
    const body = { title: 'made under load', assignedAgentId: agent.id };
    const path = `/api/projects/${this.projectId}/issues`;
    return editor.post<Issue>(path, body, { headers }).catch(() => null);
  }

  /** A response that was lost leaves a lease that no worker knows. That issue is not resolved here. */
  private async work(at: number): Promise<void> {
    const { agent } = this.door(at);
    const answer = await agent.post<PickedUp>('/api/agents/me/heartbeat', { capacity: 5 }).catch(() => null);
    const given = answer?.status === 200 ? answer.body.pickedUp : [];
    for (const { issue, lease } of given) {
      this.pickedUp.push(issue.id);
      await this.resolve(at, issue.id, lease.token);
    }
    await sleep(50);
  }

  /** A retry after a lost response finds the issue resolved already. The status is 200 in both cases. */
  private async resolve(at: number, issueId: string, token: number): Promise<void> {
    const headers = { 'Lease-Token': String(token) };
    while (!this.abandoned) {
      const path = `/api/projects/issues/${issueId}`;
      const answer = await this.door(at)
        .agent.put(path, { status: 'Resolved' }, { headers })
        .catch(() => null);
      if (answer && answer.status < 500) return void this.resolved.push(issueId);
      await sleep(100);
    }
  }

  /** Returns another address each time, so that no client waits at one that is down. */
  private door(at: number): { editor: Caller; agent: Caller } {
    this.turn += 1;
    return this.doors[(at + this.turn) % this.doors.length]!;
  }
}
