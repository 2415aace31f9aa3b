import type * as acp from '@agentclientprotocol/sdk';
import type { Turn } from 'agent-work-platform-client/worker';
import { durationText } from '../config/values.js';
import type { Child } from '../processes/child.js';
import { presentable } from '../run/run-log.js';
import type { Connect, Run } from '../run/run.js';
import { AcpAgent } from './acp-agent.js';
import { cancelled, digestOf, permissionFor, questionOf, tokensOf, usageOf } from './acp-values.js';
import { resolved, review, stopped, type Outcome } from './outcome.js';
import { firstPrompt, heardNow, namesOf, newsText, resumePrompt, unheard, WHAT_WAS_DONE } from './prompts.js';

const CANCEL_MS = 10_000;
const MAX_TEXT = 32_768;
const MAX_QUESTION = 4000;

/** Works on an issue with an agent that speaks ACP: one prompt is one turn. */
export class AcpDriver {
  private readonly child: Child;
  private readonly agent: AcpAgent;
  private text = '';
  private toolCalls = 0;
  private cost = 0;
  private lastUpdate = performance.now();
  /** The names of the news in the present prompt. */
  private names: string[] = [];
  /** How the run ends when the runner itself ends the turn: a limit, or a question to a person. */
  private ending: Outcome | null = null;

  constructor(
    private readonly run: Run,
    private readonly connect: Connect,
  ) {
    this.child = run.start();
    this.agent = new AcpAgent(this.child, {
      onUpdate: (update) => this.hear(update),
      onPermission: (request) => this.permit(request),
    });
    run.stop.now.addEventListener('abort', () => this.cancel());
  }

  /** Opens the session, and gives the agent one prompt after the other until nothing is new. */
  async work(): Promise<Outcome> {
    const { stop } = this.run;
    try {
      return await this.turns(await this.open());
    } catch (error) {
      if (stop.now.aborted) return stopped(stop.reason);
      if (this.ending) return this.ending;
      if (this.child.flooded) return review(this.text, `The agent ${await this.child.ended}.`);
      throw error;
    } finally {
      await this.child.stop();
    }
  }

  /** Opens the session and returns the first prompt. */
  private async open(): Promise<string> {
    const { item, setup, workspace, state } = this.run;
    const { config, service } = setup;
    const { folder } = workspace;
    await this.agent.initialize();
    const { sessionId, resumed } = await this.agent.open(folder, this.connect, state.sessionId, config.mode);
    this.run.update({ sessionId });
    const files = await workspace.download(service, await service.attachments(item.issueId), resumed);
    const prompt = resumed ? resumePrompt(this.run, files) : firstPrompt(this.run, files);
    this.names = namesOf(item, item.issue);
    // A runner that was killed had taken this from the service, and the agent may not have heard it.
    return [prompt, state.pending].filter(Boolean).join('\n\n');
  }

  private async turns(first: string): Promise<Outcome> {
    const { stop, setup, item, state, workspace } = this.run;
    let wasSilent = false;
    for (let prompt = first; ;) {
      const limit = this.limitReached();
      if (limit) return review(this.text, limit);
      await workspace.hook('before_turn', stop.now);
      const { stopReason } = await this.turn(prompt);
      // What the turn used is counted also where the lease has ended meanwhile.
      const turn = await setup.service.turn(item.issueId, item.token, state.reports);
      this.run.update({ reports: [] });
      if (this.ending) return this.ending;
      const reason = stop.reason ?? turn.reason;
      if (reason) return stopped(reason);
      if (stopReason !== 'end_turn') return review(this.text, `The agent stopped: ${stopReason}.`);
      const news = await this.newsOf(turn);
      if (news !== null) prompt = news;
      else if (this.text.trim() !== '' || this.toolCalls > 0) {
        await workspace.hook('after_run', stop.now);
        return resolved(setup.config, this.text, 'The agent ended its turn.');
      } else if (wasSilent)
        return review('', 'The agent ended its turn twice without a word and without using a tool.');
      else [prompt, wasSilent] = [WHAT_WAS_DONE, true];
    }
  }

  private async turn(prompt: string): Promise<acp.PromptResponse> {
    const { log, state, setup, item } = this.run;
    const { turn: longest, stall } = setup.config.limits;
    [this.text, this.toolCalls] = ['', 0];
    const costBefore = this.cost;
    const begin = (this.lastUpdate = performance.now());
    log.write('prompt', prompt);
    this.run.update({ turns: state.turns + 1 });
    const late = (reason: string) => this.endWith(review(this.text, reason));
    const look = () => {
      const now = performance.now();
      if (now - begin > longest) late(`The turn lasted longer than ${durationText(longest)}.`);
      else if (now - this.lastUpdate > stall) late(`The agent was silent for ${durationText(stall)}.`);
    };
    const timer = setInterval(look, Math.min(1000, stall / 2));
    const response = await this.agent.prompt(prompt).finally(() => clearInterval(timer));
    log.write('stop', response);
    this.run.update({ heard: heardNow(state.heard, this.names), pending: '' });
    const report = usageOf(item.issueId, response, this.cost, costBefore);
    if (report === null) return response;
    const { reports, tokens, costMicros } = state;
    this.run.update({
      reports: [...reports, report],
      tokens: tokens + tokensOf(report),
      costMicros: costMicros + (report.costMicros ?? 0),
    });
    return response;
  }

  private limitReached(): string | null {
    const { config } = this.run.setup;
    const { turns: most, tokens: mostTokens = Infinity, cost_usd: dollars = Infinity } = config.limits;
    const { turns, tokens, costMicros } = this.run.state;
    if (turns >= most) return `The limit of ${most} turns is reached.`;
    if (tokens >= mostTokens) return `The limit of ${mostTokens} tokens is reached.`;
    return costMicros >= dollars * 1_000_000 ? `The limit of ${dollars} USD is reached.` : null;
  }

  /** Ends the turn for a reason of the runner's own. */
  private endWith(outcome: Outcome): void {
    if (this.ending) return;
    this.ending = outcome;
    this.cancel();
  }

  /** Cancels the turn, and ends the process of an agent that ignores it. */
  private cancel(): void {
    this.agent.cancel();
    const timer = setTimeout(() => void this.child.stop(), CANCEL_MS);
    void this.child.ended.then(() => clearTimeout(timer));
  }

  private hear(update: acp.SessionUpdate): void {
    this.lastUpdate = performance.now();
    this.run.log.write('update', update);
    if (update.sessionUpdate === 'agent_message_chunk' && update.content.type === 'text') {
      this.text = (this.text + update.content.text).slice(-MAX_TEXT);
      this.run.say(update.content.text);
    } else if (update.sessionUpdate === 'tool_call') {
      this.toolCalls += 1;
      this.run.say(`\n${update.title}\n`);
    } else if (update.sessionUpdate === 'usage_update' && update.cost?.currency === 'USD')
      this.cost = update.cost.amount;
  }

  private async permit(request: acp.RequestPermissionRequest): Promise<acp.RequestPermissionResponse> {
    const { log, setup, state, stop, item } = this.run;
    log.write('permission', request);
    const known = permissionFor(request, setup.config.permissions, state.permissions);
    if (known || stop.now.aborted) return known ?? cancelled;
    const options = [...new Set(request.options.map(({ name }) => name))].slice(0, 10);
    const whole = questionOf(request.toolCall);
    const question = presentable(whole, log.secrets, 0, MAX_QUESTION);
    try {
      const gate = await setup.service.ask(item.issueId, item.token, { question, options }, stop.now);
      this.run.update({ gates: { ...state.gates, [gate.id]: digestOf(whole) } });
      // Opening the question ends the lease, so the session is parked, and comes back with the answer.
      this.endWith(stopped('waiting'));
    } catch (error) {
      // The lease goes on, so the issue itself has to go to a person.
      const problem = `and no question could be opened: ${(error as Error).message}`;
      this.endWith(review(this.text, `The agent asks «${question}», ${problem}`));
    }
    return cancelled;
  }

  private async newsOf(turn: Turn): Promise<string | null> {
    const { item, setup, workspace, state, answers: heard } = this.run;
    const issue = turn.changed.length > 0 ? await setup.service.issue(item.issueId) : null;
    const { changed, newComments } = unheard(turn, issue, state.heard);
    const attached = changed.includes('attachments') ? await setup.service.attachments(item.issueId) : [];
    const files = await workspace.download(setup.service, attached, true);
    const answers = [...turn.answers, ...heard.splice(0)];
    const text = newsText({ changed, newComments, answers }, issue, files);
    this.names = namesOf(turn, issue);
    this.run.update({ pending: text ?? '' });
    return text;
  }
}
