import type * as acp from '@agentclientprotocol/sdk';
import { durationText } from '../config/values.js';
import { Child } from '../processes/child.js';
import type { Turn } from '../service/service.js';
import { AcpAgent } from './acp-agent.js';
import { cancelled, permissionFor, titleOf, tokensOf, usageOf } from './acp-values.js';
import { resolved, review, stopped, type Job, type Outcome } from './job.js';
import { digestOf, firstPrompt, newsText, resumePrompt, WHAT_WAS_DONE } from './prompts.js';

const CANCEL_MS = 10_000;
const MAX_TEXT = 32_768;

/** Works on an issue with an agent that speaks ACP: one prompt is one turn. */
export class AcpDriver {
  private readonly child: Child;
  private readonly agent: AcpAgent;
  private text = '';
  private toolCalls = 0;
  private cost = 0;
  private costBefore = 0;
  private lastUpdate = performance.now();
  /** How the run ends when the runner itself ends the turn: a limit, or a question to a person. */
  private ending: (() => Outcome) | null = null;

  constructor(private readonly job: Job) {
    const { workspace, command, mark, log, config } = job;
    const maxOutput = config.limits.output_mb * 2 ** 20;
    const onText = (stream: string, text: string) => log.write(stream, text);
    this.child = new Child({ command, cwd: workspace.folder, env: workspace.env, mark, maxOutput, onText });
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
      if (job.stop.now.aborted) return stopped(job.stop.reason);
      if (this.ending) return this.ending();
      if (child.flooded) return review(this.text, `The agent ${await child.ended}.`);
      throw error;
    } finally {
      job.stop.now.removeEventListener('abort', cancel);
      await child.stop();
    }
  }

  /** Opens the session and returns the first prompt. */
  private async open(): Promise<string> {
    const { item, config, workspace, connect, state, service, answers, update } = this.job;
    await this.agent.initialize();
    const { sessionId, resumed } = await this.agent.open(workspace.folder, connect, state.sessionId);
    if (config.mode) await this.agent.setMode(config.mode);
    const brief = digestOf(item.brief ?? '');
    const isChanged = brief !== state.brief;
    update({ sessionId, brief });
    const attached = await service.attachments(item.issueId);
    const files = await workspace.download(service, attached, resumed);
    const known = answers.splice(0);
    if (!resumed) return firstPrompt(item, config.prompt, files, known);
    return resumePrompt({ ...item, answers: known }, isChanged, files);
  }

  private async turns(first: string): Promise<Outcome> {
    const { stop, service, item, state, workspace, config, update } = this.job;
    let wasSilent = false;
    for (let prompt = first; ;) {
      const limit = this.limitReached();
      if (limit) return review(this.text, limit);
      await workspace.hook('before_turn', stop.now);
      const { stopReason } = await this.turn(prompt);
      if (stop.now.aborted) return stopped(stop.reason);
      const turn = await service.turn(item.issueId, item.token, state.reports, stop.now);
      update({ reports: [] });
      if (this.ending) return this.ending();
      if (stop.reason ?? turn.reason) return stopped(stop.reason ?? turn.reason);
      if (stopReason !== 'end_turn') return review(this.text, `The agent stopped: ${stopReason}.`);
      const news = await this.newsOf(turn);
      if (news !== null) prompt = news;
      else if (this.text.trim() !== '' || this.toolCalls > 0) {
        await workspace.hook('after_run', stop.now);
        return resolved(config, this.text, 'The agent ended its turn.');
      } else if (wasSilent)
        return review('', 'The agent ended its turn twice without a word and without using a tool.');
      else [prompt, wasSilent] = [WHAT_WAS_DONE, true];
    }
  }

  private async turn(prompt: string): Promise<acp.PromptResponse> {
    const { log, state, config, item, update } = this.job;
    const { turn: longest, stall } = config.limits;
    [this.text, this.toolCalls, this.costBefore] = ['', 0, this.cost];
    const begin = (this.lastUpdate = performance.now());
    log.write('prompt', prompt);
    update({ turns: state.turns + 1 });
    const look = () => {
      const now = performance.now();
      if (now - begin > longest) this.finish(`The turn lasted longer than ${durationText(longest)}.`);
      else if (now - this.lastUpdate > stall) this.finish(`The agent was silent for ${durationText(stall)}.`);
    };
    const timer = setInterval(look, Math.min(1000, stall / 2));
    try {
      const response = await this.agent.prompt(prompt);
      log.write('stop', response);
      const report = usageOf(item.issueId, response, this.cost, this.costBefore);
      if (report)
        update({
          reports: [...state.reports, report],
          tokens: state.tokens + tokensOf(report),
          costMicros: state.costMicros + report.costMicros,
        });
      return response;
    } finally {
      clearInterval(timer);
    }
  }

  private limitReached(): string | null {
    const {
      turns: most,
      tokens: mostTokens = Infinity,
      cost_usd: dollars = Infinity,
    } = this.job.config.limits;
    const { turns, tokens, costMicros } = this.job.state;
    if (turns >= most) return `The limit of ${most} turns is reached.`;
    if (tokens >= mostTokens) return `The limit of ${mostTokens} tokens is reached.`;
    return costMicros >= dollars * 1_000_000 ? `The limit of ${dollars} USD is reached.` : null;
  }

  /** Ends the turn for a reason of the runner's own, by default with a review. */
  private finish(reason: string, outcome = () => review(this.text, reason)): void {
    if (this.ending) return;
    this.ending = outcome;
    this.end();
  }

  /** Cancels the turn, and ends the process of an agent that ignores it. */
  private end(): void {
    this.agent.cancel();
    const timer = setTimeout(() => void this.child.stop(), CANCEL_MS);
    void this.child.ended.then(() => clearTimeout(timer));
  }

  private hear(update: acp.SessionUpdate): void {
    this.lastUpdate = performance.now();
    this.job.log.write('update', update);
    if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') {
      this.text = (this.text + update.content.text).slice(-MAX_TEXT);
      this.job.say(update.content.text);
    }
    if (update.sessionUpdate === 'tool_call') {
      this.toolCalls += 1;
      this.job.say(`\n${update.title}\n`);
    }
    if (update.sessionUpdate === 'usage_update' && update.cost?.currency === 'USD')
      this.cost = update.cost.amount;
  }

  private async permit(request: acp.RequestPermissionRequest): Promise<acp.RequestPermissionResponse> {
    const { log, config, state, stop, service, item, update } = this.job;
    log.write('permission', request);
    const known = permissionFor(request, config.permissions, state.permissions);
    if (known || stop.now.aborted) return known ?? cancelled;
    const title = titleOf(request.toolCall);
    const options = [...new Set(request.options.map(({ name }) => name))].slice(0, 10);
    const question = `May I: ${title}`;
    try {
      const gate = await service.ask(item.issueId, item.token, { question, options }, stop.now);
      update({ gates: { ...state.gates, [gate.id]: title } });
      // Opening the question ends the lease, so the session is parked, and comes back with the answer.
      this.finish('waiting', () => stopped('waiting'));
    } catch (error) {
      // The lease goes on, so the issue itself has to go to a person.
      const problem = (error as Error).message;
      this.finish(`The agent asks «${question}», and no question could be opened: ${problem}`);
    }
    return cancelled;
  }

  private async newsOf({ changed, newComments, answers }: Turn) {
    const { item, service, workspace, answers: heard } = this.job;
    const issue = changed.length > 0 ? await service.issue(item.issueId) : null;
    const attached = changed.includes('attachments') ? await service.attachments(item.issueId) : [];
    const files = await workspace.download(service, attached, true);
    return newsText({ changed, newComments, answers: [...answers, ...heard.splice(0)] }, issue, files);
  }
}
