import { afterAll } from '@jest/globals';
import { aProject, anAgent, anIssue, type Issue, type NewAgent, type Project } from './builders.js';
import { Runner } from './runner.js';
import type { Service } from './service.js';
import { until } from './until.js';

type Settings = Record<string, unknown>;

/** One agent with its runner and a project of its own. */
export class RunnerWorld {
  private constructor(
    private readonly service: Service,
    readonly runner: Runner,
    readonly agent: NewAgent,
    readonly project: Project,
  ) {}

  static async of(
    service: Service,
    settings: Settings = {},
    { url, env, root }: { url?: string; env?: Record<string, string>; root?: string } = {},
  ): Promise<RunnerWorld> {
    const agent = await anAgent(service.owner, { maxConcurrentIssues: 50 });
    const runner = new Runner(url ?? service.baseUrl, { bot: { agent, ...settings } }, env, root);
    worlds.push(runner);
    return new RunnerWorld(service, runner, agent, await aProject(service.owner));
  }

  /** Creates an issue of the agent whose description is the script. */
  issue(script: string[], fields: Settings = {}): Promise<Issue> {
    const description = script.map((line) => `>> ${line}`).join('\n');
    return anIssue(this.service.owner, this.project, {
      description,
      assignedAgentId: this.agent.id,
      ...fields,
    });
  }

  async read({ id }: { id: string }): Promise<Issue> {
    return (await this.service.owner.get<Issue>(`/api/projects/issues/${id}`)).body;
  }

  async becomes(issue: Issue, status: string): Promise<Issue> {
    let now = issue;
    try {
      return await until(async () => ((now = await this.read(issue)).status === status ? now : null));
    } catch (error) {
      throw new Error(`${issue.key} is ${now.status}, not ${status}.\n${this.runner.output}`, {
        cause: error,
      });
    }
  }

  /** Why the agent takes no more work, as people see it. */
  async failing(): Promise<object | null> {
    const { body } = await this.service.owner.get<{ failing: object | null }>(`/api/agents/${this.agent.id}`);
    return body.failing;
  }

  async comments({ id }: { id: string }): Promise<string[]> {
    const { body } = await this.service.owner.get<{ content: string }[]>(
      `/api/projects/issues/${id}/comments`,
    );
    return body.map(({ content }) => content);
  }

  /** Waits until the agent has heard that many prompts, and returns them. */
  prompts(issue: Issue, count: number): Promise<string[]> {
    const texts = () => this.runner.heard('bot', issue.key).flatMap(({ prompt }) => prompt ?? []);
    return until(() => (texts().length >= count ? texts() : null));
  }
}

const worlds: Runner[] = [];
afterAll(async () => {
  for (const runner of worlds) await runner.remove();
});
