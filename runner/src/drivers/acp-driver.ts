import type {
  PromptResponse,
  RequestPermissionRequest,
  RequestPermissionResponse,
  SessionUpdate,
} from '@agentclientprotocol/sdk';
import { durationText } from '../config/duration.js';
import { Child } from '../processes/child.js';
import { AcpAgent, AgentFailed } from './acp-agent.js';
import { takeAnswers, type Job } from './driver.js';
import { review, stopped, type Outcome } from './outcome.js';
import { cancelled, permissionFor, titleOf } from './permissions.js';
import { firstPrompt, newsText, resumePrompt, WHAT_WAS_DONE, type Answer } from './prompts.js';
import { tokensOf, usageOf } from './usage.js';

const CANCEL_MS = 10_000;

/** Works on an issue with an agent that speaks ACP: one prompt is one turn. */
export class AcpDriver {
  private readonly child: Child;
  private readonly agent: AcpAgent;
  private text = '';
  private toolCalls = 0;
  private cost = 0;
  private costBefore = 0;
  private lastUpdate = performance.now();
  /** Why the runner itself ends the turn: a limit, or a question to a person. */
  private ending: { reason: string; outcome: () => Outcome } | null = null;

  constructor(private readonly job: Job) {
    const { workspace, command, mark, log, config } = job;
    const maxOutput = config.limits.output_mb * 2 ** 20;
    const onLine = (stream: string, text: string) => log.write(stream, text);
    this.child = new Child({ command, cwd: workspace.folder, env: workspace.env, mark, maxOutput, onLine });
    this.agent = new AcpAgent(this.child, {
      onUpdate: (update) => this.hear(update),
      onPermission: (request) => this.permit(request),
    });
  }

  async run(): Promise<Outcome> {
    const { job, child } = this;
    job.update({ pid: child.pid ?? null, startTime: child.startTime });
    const cancel = () => this.end();
    job.stop.now.addEventListener('abort', cancel);
    try {
      return await this.turns(await this.open());
    } catch (error) {
      if (job.stop.now.aborted) return stopped(job.stop.reason ?? 'shutdown');
      if (this.ending) return this.ending.outcome();
      if (child.flooded) return review(this.text, `The agent ${await child.ended}.`);
      throw error;
    } finally {
      job.stop.now.removeEventListener('abort', cancel);
      await child.stop();
    }
  }

  /** Opens the session and returns the first prompt. */
  private async open(): Promise<string> {
    const { job } = this;
    await this.agent.initialize();
    const { sessionId, resumed } = await this.agent.open(
      job.workspace.folder,
      job.connect,
      job.state.sessionId,
    );
    if (job.config.mode) await this.agent.setMode(job.config.mode);
    job.update({ sessionId });
    const files = await job.workspace.download(job.service, job.item.newAttachments);
    const answers = takeAnswers(job);
    if (!resumed) return firstPrompt(job.item, job.config.prompt, files, answers);
    return resumePrompt(job.item, newsText({ ...job.item, answers }, job.item.issue, files));
  }

  private async turns(first: string): Promise<Outcome> {
    const { job } = this;
    let prompt = first;
    let wasSilent = false;
    for (;;) {
      const limit = this.limitReached();
      if (limit) return review(this.text, limit);
      await job.workspace.hook('before_turn', job.stop.now);
      const { stopReason } = await this.turn(prompt);
      if (job.stop.now.aborted) return stopped(job.stop.reason ?? 'shutdown');
      const turn = await job.service.turn(job.item.issueId, job.item.token, job.state.reports, job.stop.now);
      job.update({ reports: [] });
      if (this.ending) return this.ending.outcome();
      if (job.stop.reason ?? turn.reason) return stopped(job.stop.reason ?? turn.reason ?? 'lease_lost');
      if (stopReason !== 'end_turn') return review(this.text, `The agent stopped: ${stopReason}.`);
      const news = await this.newsOf(turn);
      if (news !== null) prompt = news;
      else if (this.text.trim() !== '' || this.toolCalls > 0) return await this.done();
      else if (wasSilent)
        return review('', 'The agent ended its turn twice without a word and without using a tool.');
      else [prompt, wasSilent] = [WHAT_WAS_DONE, true];
    }
  }

  private async done(): Promise<Outcome> {
    await this.job.workspace.hook('after_run', this.job.stop.now);
    if (this.job.config.review) return review(this.text, 'Done; review is on.');
    return { kind: 'finish', status: 'Resolved', comment: this.text, reason: 'The agent ended its turn.' };
  }

  private async turn(prompt: string): Promise<PromptResponse> {
    const { job } = this;
    const { turn: longest, stall } = job.config.limits;
    [this.text, this.toolCalls, this.costBefore] = ['', 0, this.cost];
    const begin = (this.lastUpdate = performance.now());
    job.log.write('prompt', prompt);
    job.update({ turns: job.state.turns + 1 });
    const timer = setInterval(
      () => {
        const now = performance.now();
        if (now - begin > longest) this.limit(`The turn lasted longer than ${durationText(longest)}.`);
        else if (now - this.lastUpdate > stall)
          this.limit(`The agent was silent for ${durationText(stall)}.`);
      },
      Math.min(1000, stall / 2),
    );
    try {
      const response = await this.agent.prompt(prompt);
      job.log.write('stop', response);
      this.report(response);
      return response;
    } finally {
      clearInterval(timer);
    }
  }

  private report(response: PromptResponse): void {
    const { state, item, update } = this.job;
    const report = usageOf(item.issueId, response, this.cost, this.costBefore);
    if (report === null) return;
    update({
      reports: [...state.reports, report],
      tokens: state.tokens + tokensOf(report),
      costMicros: state.costMicros + (report.costMicros ?? 0),
    });
  }

  private limitReached(): string | null {
    const { limits } = this.job.config;
    const { turns, tokens, costMicros } = this.job.state;
    if (turns >= limits.turns) return `The limit of ${limits.turns} turns is reached.`;
    if (limits.tokens && tokens >= limits.tokens) return `The limit of ${limits.tokens} tokens is reached.`;
    const isDear = limits.cost_usd !== undefined && costMicros >= limits.cost_usd * 1_000_000;
    return isDear ? `The limit of ${limits.cost_usd} USD is reached.` : null;
  }

  private limit(reason: string): void {
    this.finishTurn(reason, () => review(this.text, reason));
  }

  private finishTurn(reason: string, outcome: () => Outcome): void {
    if (this.ending) return;
    this.ending = { reason, outcome };
    this.end();
  }

  /** Cancels the turn, and ends the process of an agent that ignores it. */
  private end(): void {
    this.agent.cancel();
    const timer = setTimeout(() => void this.child.stop(), CANCEL_MS);
    void this.child.ended.then(() => clearTimeout(timer));
  }

  private hear(update: SessionUpdate): void {
    this.lastUpdate = performance.now();
    this.job.log.write('update', update);
    if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text')
      this.say(update.content.text);
    if (update.sessionUpdate === 'tool_call') {
      this.toolCalls += 1;
      this.job.update({ lastLine: update.title });
    }
    if (update.sessionUpdate === 'usage_update' && update.cost?.currency === 'USD')
      this.cost = update.cost.amount;
  }

  private say(text: string): void {
    this.text = (this.text + text).slice(-32_768);
    const line = this.text.trimEnd().split('\n').at(-1);
    if (line) this.job.update({ lastLine: line.slice(-200) });
  }

  private async permit(request: RequestPermissionRequest): Promise<RequestPermissionResponse> {
    const { job } = this;
    job.log.write('permission', request);
    const known = permissionFor(request, job.config.permissions, job.state.permissions);
    if (known || job.stop.now.aborted) return known ?? cancelled;
    const title = titleOf(request.toolCall);
    const options = request.options.map(({ name }) => name).slice(0, 10);
    const question = `May I: ${title}`;
    try {
      const gate = await job.service.ask(job.item.issueId, { question, options }, job.stop.now);
      job.update({ gates: { ...job.state.gates, [gate.id]: title } });
      // Opening the question ends the lease, so the session is parked, and comes back with the answer.
      this.finishTurn('waiting', () => stopped('waiting'));
    } catch (error) {
      // The lease goes on, so the issue itself has to go to a person.
      const reason = `The agent asks «${question}», and no question could be opened: ${(error as Error).message}`;
      this.finishTurn(reason, () => review(this.text, reason));
    }
    return cancelled;
  }

  private async newsOf(turn: {
    newComments: Job['item']['newComments'];
    changed: Job['item']['changed'];
    answers?: Answer[];
  }) {
    const { job } = this;
    const answers = [...(turn.answers ?? []), ...takeAnswers(job)];
    const issue = turn.changed.length > 0 ? await job.service.issue(job.item.issueId) : null;
    const hasFiles = turn.changed.includes('attachments');
    const attached = hasFiles ? await job.service.attachments(job.item.issueId) : [];
    const files = await job.workspace.download(job.service, attached);
    return newsText({ ...turn, answers }, issue, files);
  }
}

export const isAgentFailure = (error: unknown): error is AgentFailed => error instanceof AgentFailed;
