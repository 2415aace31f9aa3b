import { readFileSync } from 'node:fs';
import { Refused } from 'agent-work-platform-client';
import type { AgentConfig } from '../config/config-schema.js';
import { durationText } from '../config/values.js';
import type { Connect } from '../drivers/acp-agent.js';
import { AcpDriver } from '../drivers/acp-driver.js';
import { runCommand } from '../drivers/command-driver.js';
import { review, Stop, stopped, type Outcome } from '../drivers/job.js';
import type { Answer } from '../drivers/prompts.js';
import { StepFailed } from '../processes/child.js';
import { markOfRun } from '../processes/guard.js';
import { killIfSame } from '../processes/process-table.js';
import type { PendingEnd, Service, WorkItem } from '../service/service.js';
import { Workspace } from '../workspace/workspace.js';
import type { Progress } from './progress.js';
import { masked, presentable, RunLog } from './run-log.js';
import { freshState, logFileOf, NOTHING, readState, writeState, type RunState } from './run-state.js';

const UPLOAD_MS = 60_000;
const REPORT_MS = 5000;
const MAX_COMMENT = 12_000;
const MAX_REASON = 900;
const MAX_OUTPUT = 2000;

export interface RunOptions {
  root: string;
  agent: string;
  key: string;
  config: AgentConfig;
  service: Service;
  progress: Progress;
}

/** One lease of one issue, from its start to the acknowledged end. */
export class IssueRun {
  readonly stop = new Stop();
  readonly token: number;
  /** Whether something went wrong with the agent itself, and not with the issue. */
  hasFailed = false;
  private readonly state: RunState;
  private readonly log: RunLog;
  private readonly answers: Answer[];
  private readonly begin = performance.now();
  private output = '';
  private reported = '';
  private uploaded = 0;

  constructor(
    private readonly options: RunOptions,
    private readonly item: WorkItem,
    private readonly fail: (failure: string) => boolean,
  ) {
    const { root, agent } = options;
    this.token = item.token;
    this.answers = [...item.answers];
    const key = item.issue?.key ?? item.issueId;
    const before = readState(root, agent, key);
    this.state = { ...freshState(agent, key, item), ...before };
    // What a person sent back is measured by the limits again. Each lease has a log of its own among the attachments.
    if (before?.status === 'ended') Object.assign(this.state, NOTHING);
    const { turns, tokens, costMicros, pid, startTime } = this.state;
    if (before?.token !== this.token)
      Object.assign(this.state, { logId: null, before: { turns, tokens, costMicros } });
    if (pid !== null && startTime !== null) killIfSame(pid, startTime);
    this.log = new RunLog(logFileOf(root, agent, key));
  }

  /** Takes the answers of people that a later heartbeat carries. */
  hear({ answers }: WorkItem): void {
    const known = new Set(this.answers.map(({ gateId }) => gateId));
    this.answers.push(...answers.filter(({ gateId }) => !known.has(gateId)));
  }

  async run(): Promise<void> {
    if (this.state.end?.token === this.token) return this.deliver(this.state.end);
    this.update({ status: 'running', token: this.token, end: null, reason: '', pid: null });
    const timers = [setInterval(() => void this.upload(), UPLOAD_MS)];
    timers.push(setInterval(() => void this.report(), REPORT_MS));
    void this.report();
    const outcome = await this.work().finally(() => timers.forEach((timer) => clearInterval(timer)));
    this.log.write('end', outcome);
    this.log.close();
    const reason = this.presentable(outcome.reason, 0, MAX_REASON);
    await this.upload();
    void this.report(reason);
    if (outcome.kind === 'none') return this.update({ status: 'parked', reason, pid: null });
    const end = this.endOf(outcome, reason);
    this.update({ end, reason, pid: null });
    await this.deliver(end);
  }

  private async work(): Promise<Outcome> {
    const { root, agent, config, key, service } = this.options;
    const { log, state, stop, answers, item } = this;
    log.secrets.push(key);
    try {
      const connect = connectOf(item);
      log.secrets.push(...Object.values(connect.headers).map((value) => value.replace(/^Bearer /, '')));
      if (config.git && URL.canParse(config.git.repo)) log.secrets.push(new URL(config.git.repo).password);
      const mark = markOfRun(root, agent);
      const workspace = new Workspace({ root, agent, key: state.key, config, mark, secrets: log.secrets });
      await workspace.create(state.created, stop.now);
      this.remember();
      this.update({ created: true });
      const command = (config.acp ?? config.command)!;
      const update = (change: Partial<RunState>) => this.update(change);
      const say = (text: string) => this.say(text);
      const ours = { item, connect, config, command, workspace, service, log, state, stop };
      const job = { ...ours, mark, answers, update, say };
      return await (config.acp ? new AcpDriver(job).run() : runCommand(job));
    } catch (error) {
      return this.failed(error as Error);
    }
  }

  /** Keeps a person's answer to a permission for the next time that the agent asks the same. */
  private remember(): void {
    const { gates, permissions } = this.state;
    for (const { gateId, option } of this.answers) {
      const title = gates[gateId];
      if (title !== undefined && option !== null) permissions[title] = option;
      delete gates[gateId];
    }
  }

  private failed(error: Error): Outcome {
    if (this.stop.now.aborted) return stopped(this.stop.reason);
    if (error instanceof Refused && error.code === 'lease_lost') return stopped('lease_lost');
    const text = masked(error.message, this.log.secrets);
    this.log.write('failure', text);
    if (error instanceof StepFailed && text.startsWith('after_run')) return review(text, 'after_run failed.');
    this.hasFailed = true;
    const reason = text.split('\n')[0] || 'The agent failed.';
    if (!this.fail(reason)) return { kind: 'finish', status: 'Open', comment: text, reason };
    // A person has to see it: from here on the agent's other issues only wait.
    return review(
      text,
      `${reason} The agent failed so repeatedly, and takes no more work until its runner is started again.`,
    );
  }

  private endOf(outcome: Exclude<Outcome, { kind: 'none' }>, reason: string): PendingEnd {
    const { token } = this;
    if (outcome.kind === 'release') return { token, route: 'release', body: { token, reason } };
    const { reports, logId } = this.state;
    const comment = `${this.presentable(outcome.comment, -MAX_COMMENT) || '(nothing was said)'}\n\n---\n${reason} ${this.figures()}`;
    const files = { attachmentIds: logId ? [logId] : [], ...(reports.length > 0 && { usage: reports }) };
    return { token, route: 'finish', body: { token, status: outcome.status, reason, comment, ...files } };
  }

  private figures(): string {
    const { turns, tokens, costMicros, sessionId } = this.state;
    const figures = [
      durationText(performance.now() - this.begin),
      `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
      ...(tokens > 0 ? [`${tokens} tokens`] : []),
      ...(costMicros > 0 ? [`${(costMicros / 1e6).toFixed(2)} USD`] : []),
      ...(sessionId ? [`session ${sessionId}`] : []),
    ];
    return `(${figures.join(', ')})`;
  }

  /** Sends the end until the service answers. A finish after a pause is kept for a person. */
  private async deliver(end: PendingEnd): Promise<void> {
    try {
      await this.options.service.end(this.item.issueId, end, this.stop.abandoned);
      this.update({ status: 'ended', end: null, reports: [] });
    } catch (error) {
      const refusal = error instanceof Refused ? error : null;
      const { body } = end;
      if (refusal?.problem?.['reason'] === 'paused' && 'status' in body && body.status === 'Resolved')
        return this.deliver({ ...end, body: { ...body, status: 'PendingReview' } });
      if (refusal?.code === 'validation_failed' && 'attachmentIds' in body && body.attachmentIds?.length)
        return this.deliver({ ...end, body: { ...body, attachmentIds: [] } });
      this.log.write('failure', `The end was not accepted: ${(error as Error).message}`);
      this.update({
        status: 'parked',
        reason: refusal?.code ?? 'not reported',
        ...(refusal && { end: null }),
      });
    }
  }

  /** Uploads the log in place of its last version, so that a person can follow the run. */
  private async upload(): Promise<void> {
    const { service } = this.options;
    const { logId: before } = this.state;
    if (before && this.uploaded === this.log.bytes) return;
    try {
      this.uploaded = this.log.bytes;
      const bytes = new Uint8Array(readFileSync(this.log.file));
      const name = `awp-run-${this.token}.jsonl`;
      this.update({ logId: await service.upload(this.item.issueId, name, bytes, this.stop.abandoned) });
      await this.report();
      if (before) await service.removeAttachment(before);
    } catch (error) {
      // The log is on this machine too. The next upload may succeed.
      this.log.write('failure', `The log was not uploaded: ${(error as Error).message}`);
    }
  }

  private say(text: string): void {
    this.output = (this.output + text).slice(-4 * MAX_OUTPUT);
    if (this.options.progress.attached) process.stdout.write(masked(text, this.log.secrets));
  }

  /** Reports what people see of the run, where that has changed. Contract §7.11. */
  private async report(end?: string): Promise<void> {
    const { sessionId, turns, tokens, costMicros, before, logId } = this.state;
    const output = this.presentable(this.output, -MAX_OUTPUT);
    const lastLine = output.split('\n').at(-1)?.slice(-200) ?? '';
    if (lastLine !== this.state.lastLine) this.update({ lastLine });
    const run = {
      token: this.token,
      turns: turns - before.turns,
      tokens: tokens - before.tokens,
      costMicros: costMicros - before.costMicros,
      output,
      ...(sessionId && { session: sessionId.slice(0, 200) }),
      ...(logId && { logId }),
      ...(end && { stopped: end }),
    };
    if (this.reported === JSON.stringify(run)) return;
    this.reported = JSON.stringify(run);
    // People see an older state until the next report.
    await this.options.service.report(this.item.issueId, run).catch(() => undefined);
  }

  private presentable(text: string, from: number, to?: number): string {
    return presentable(text, this.log.secrets, from, to);
  }

  private update(change: Partial<RunState>): void {
    Object.assign(this.state, change, { updatedAt: new Date().toISOString() });
    writeState(this.options.root, this.state);
    this.options.progress.run(this.state);
  }
}

/** @throws {StepFailed} when the service hands out no lease key: the agent's own key must not reach the agent */
function connectOf({ connect }: WorkItem): Connect {
  if (connect) return connect as unknown as Connect;
  throw new StepFailed(
    'The service hands out no lease keys (`connect` is null). Update the service, then start the runner.',
  );
}
