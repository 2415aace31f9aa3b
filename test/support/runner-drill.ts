import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from '@jest/globals';
import { aLink, anIssue, aProject, type Issue, type NewAgent, type Project } from './builders.js';
import type { Caller } from './caller.js';
import type { Runner } from './runner.js';

/** An agent of the drill: the runner that works for it, and its name in the file of that runner. */
export interface Worker {
  agent: NewAgent;
  name: string;
  runner: Runner;
  /** Whether it speaks ACP, and not an exit code. */
  speaks: boolean;
}

interface Entry {
  type: string;
  createdAt: string;
  data: Record<string, unknown>;
}

/** Issues with dependencies between them, and what the service and the agents say about how they were resolved. */
export class Graph {
  private constructor(
    private readonly owner: Caller,
    private readonly project: Project,
    readonly issues: Issue[],
    private readonly links: [Issue, Issue][],
  ) {}

  /** Links lead from earlier to later issues, so there is no cycle. */
  static async of(
    owner: Caller,
    size: { issues: number; links: number },
    fields: (at: number) => Record<string, unknown>,
  ) {
    const project = await aProject(owner);
    const issues: Issue[] = [];
    for (let count = 0; count < size.issues; count += 1)
      issues.push(await anIssue(owner, project, fields(count)));
    const links = new Map<string, [Issue, Issue]>();
    for (let count = 0; links.size < size.links; count += 1) {
      const after = 1 + ((count * 7) % (size.issues - 1));
      const before = (count * 11 + Math.floor(count / size.issues)) % after;
      links.set(`${before} ${after}`, [issues[before]!, issues[after]!]);
    }
    for (const [before, after] of links.values()) await aLink(owner, before, after);
    return new Graph(owner, project, issues, [...links.values()]);
  }

  /** Returns the issues as they are now. */
  async now(): Promise<Issue[]> {
    return (await this.owner.get<Issue[]>(`/api/projects/${this.project.id}/issues?limit=200`)).body;
  }

  /** Each issue was resolved once, has one closing comment, and none was begun before its blockers were resolved. */
  async mustBeInOrder(times: string): Promise<void> {
    const starts = startsIn(times);
    const resolved = new Map<string, number>();
    for (const issue of this.issues) {
      const ends = (await this.entries(issue)).filter(
        ({ type, data }) => type === 'issue.status_changed' && data['new'] === 'Resolved',
      );
      expect([issue.key, ends.length]).toEqual([issue.key, 1]);
      resolved.set(issue.key, Date.parse(ends[0]!.createdAt));
      expect([issue.key, await this.closings(issue)]).toEqual([issue.key, 1]);
      expect(starts.get(issue.key)).toBeDefined();
    }
    const early = this.links.filter(([before, { key }]) =>
      starts.get(key)!.some((start) => start < resolved.get(before.key)!),
    );
    expect(early.map((link) => link.map(({ key }) => key))).toEqual([]);
  }

  private async entries({ id }: Issue): Promise<Entry[]> {
    return (await this.owner.get<Entry[]>(`/api/projects/issues/${id}/activity?limit=200`)).body;
  }

  private async closings({ id }: Issue): Promise<number> {
    const { body } = await this.owner.get<{ content: string }[]>(`/api/projects/issues/${id}/comments`);
    return body.filter(({ content }) =>
      /\n---\n(The agent ended its turn|The command ended with code 0)/.test(content),
    ).length;
  }
}

/** Returns when the agents began, in milliseconds, by the key of the issue: lines of `key nanoseconds`. */
function startsIn(file: string): Map<string, number[]> {
  const starts = new Map<string, number[]>();
  for (const line of readFileSync(file, 'utf8').trim().split('\n')) {
    const [key = '', time = ''] = line.split(' ');
    starts.set(key, [...(starts.get(key) ?? []), Number(BigInt(time) / 1_000_000n)]);
  }
  return starts;
}

/** Returns the process id of the scripted agent that works on an issue, where one does. */
export function agentProcessOf({ key }: Issue): number | null {
  const pids = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  const found = pids.find(
    (pid) =>
      contentOf(`/proc/${pid}/cmdline`).includes('scripted-agent') &&
      `${contentOf(`/proc/${pid}/environ`)}\0`.includes(`AWP_ISSUE=${key}\0`),
  );
  return found === undefined ? null : Number(found);
}

/** Returns the input tokens in the answers that a runner got from an agent, by the logs of its runs. */
export function tokensHeardBy({ runner, name }: Worker, issues: Issue[]): number {
  const files = issues.map(({ key }) => join(runner.root, name, '.runs', `${key}.jsonl`)).filter(existsSync);
  return files
    .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'))
    .map((line) => JSON.parse(line) as { kind: string; data: { usage?: { inputTokens: number } } })
    .reduce((sum, { kind, data }) => sum + (kind === 'stop' ? (data.usage?.inputTokens ?? 0) : 0), 0);
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'latin1');
  } catch {
    // The process has ended, or belongs to another user.
    return '';
  }
}
