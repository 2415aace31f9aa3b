import { readFileSync } from 'node:fs';
import { Refused, type Schemas } from 'agent-work-platform-client';
import type { AgentConfig } from '../config/config-schema.js';
import { durationText } from '../config/duration.js';
import type { Connect } from '../drivers/acp-agent.js';
import { AcpDriver } from '../drivers/acp-driver.js';
import { runCommand } from '../drivers/command-driver.js';
import type { Job } from '../drivers/driver.js';
import { review, stopped, type Outcome } from '../drivers/outcome.js';
import type { Answer } from '../drivers/prompts.js';
import { killLeft, markOfRun } from '../processes/guard.js';
import type { Service, WorkItem } from '../service/service.js';
import { StepFailed } from '../workspace/shell.js';
import { Workspace } from '../workspace/workspace.js';
import { masked, RunLog } from './run-log.js';
import { logFileOf, readState, writeState, type PendingEnd, type RunState } from './run-state.js';
import { Stop } from './stop.js';

const UPLOAD_MS = 60_000;
const MAX_COMMENT = 12_000;

export interface RunOptions {
  root: string;
  agent: string;
  key: string;
  config: AgentConfig;
  service: Service;
  item: WorkItem;
  onProgress: (state: RunState) => void;
}

/** One lease of one issue, from its start to the acknowledged end. */
export class IssueRun {
  readonly stop = new Stop();
  readonly token: number;
  /** What went wrong with the agent itself, and not with the issue. */
  failure: string | null = null;
  private readonly state: RunState;
  private readonly log: RunLog;
  private readonly answers: Answer[];
  private readonly begin = performance.now();

  constructor(private readonly options: RunOptions) {
    const { item, root, agent } = options;
    this.token = item.token;
    this.answers = answersOf(item);
    const key = item.issue?.key ?? item.issueId;
    const fresh = freshState(item, agent, key);
    const before = readState(root, agent, key);
    this.state = { ...fresh, ...before };
    // What a person sent back is measured by the limits again. Each lease has a log of its own among the attachments.
    if (before?.status === 'ended') Object.assign(this.state, { turns: 0, tokens: 0, costMicros: 0 });
    if (before?.token !== item.token) this.state.logId = null;
    killLeft(this.state.pid, this.state.startTime);
    this.log = new RunLog(logFileOf(root, agent, key));
  }

  /** Takes the answers of people that a later heartbeat carries. */
  hear(item: WorkItem): void {
    const known = new Set(this.answers.map(({ gateId }) => gateId));
    this.answers.push(...answersOf(item).filter(({ gateId }) => !known.has(gateId)));
  }

  async run(): Promise<void> {
    const { item } = this.options;
    if (this.state.end?.token === item.token) return this.report(this.state.end);
    this.update({
      status: 'running',
      token: item.token,
      title: item.issue?.title ?? '',
      end: null,
      reason: '',
      pid: null,
    });
    const uploads = setInterval(() => void this.upload(), UPLOAD_MS);
    const outcome = await this.work().finally(() => clearInterval(uploads));
    this.log.write('end', outcome);
    this.log.close();
    if (outcome.kind === 'none') return this.update({ status: 'parked', reason: outcome.reason, pid: null });
    await this.upload();
    const end = this.endOf(outcome);
    this.update({ end, reason: outcome.reason, pid: null });
    await this.report(end);
  }

  private async work(): Promise<Outcome> {
    const { root, agent, config, key, service, item } = this.options;
    const mark = markOfRun(root, agent);
    const { log, state, stop, answers } = this;
    log.secrets.push(key);
    try {
      const connect = connectOf(item);
      log.secrets.push(...Object.values(connect.headers).map((value) => value.replace(/^Bearer /, '')));
      const workspace = new Workspace({ root, agent, key: state.key, config, mark, secrets: log.secrets });
      await workspace.create(state.created, stop.now);
      this.remember();
      this.update({ created: true });
      const command = (config.acp ?? config.command)!;
      const update = (change: Partial<RunState>) => this.update(change);
      const job: Job = {
        item,
        connect,
        config,
        command,
        workspace,
        service,
        log,
        state,
        stop,
        mark,
        answers,
        update,
      };
      return await (config.acp ? new AcpDriver(job).run() : runCommand(job));
    } catch (error) {
      return this.failed(error as Error);
    }
  }

  /** Keeps a person's answer to a permission for the next time that the agent asks the same. */
  private remember(): void {
    const { gates, permissions } = this.state;
    for (const { gateId, option } of this.answers)
      if (gates[gateId] !== undefined && typeof option === 'string') permissions[gates[gateId]] = option;
  }

  private failed(error: Error): Outcome {
    if (this.stop.now.aborted) return stopped(this.stop.reason ?? 'shutdown');
    if (error instanceof Refused && error.code === 'lease_lost') return stopped('lease_lost');
    const text = masked(error.message, this.log.secrets);
    this.log.write('failure', text);
    if (error instanceof StepFailed && text.startsWith('after_run')) return review(text, 'after_run failed.');
    this.failure = text;
    const reason = text.split('\n')[0] ?? 'The agent failed.';
    return { kind: 'finish', status: 'Open', comment: text, reason };
  }

  private endOf(outcome: Exclude<Outcome, { kind: 'none' }>): PendingEnd {
    const { token } = this;
    const reason = outcome.reason.slice(0, 900);
    if (outcome.kind === 'release') return { token, route: 'release', body: { token, reason } };
    const attachmentIds = this.state.logId ? [this.state.logId] : [];
    const usage = this.state.reports;
    const comment = this.commentOf(outcome);
    const body = {
      token,
      status: outcome.status,
      reason,
      comment,
      attachmentIds,
      ...(usage.length > 0 && { usage }),
    };
    return { token, route: 'finish', body };
  }

  private commentOf({ comment, reason }: { comment: string; reason: string }): string {
    const { turns, tokens, costMicros, sessionId } = this.state;
    const text = masked(comment, this.log.secrets).trim().slice(-MAX_COMMENT);
    const figures = [
      durationText(performance.now() - this.begin),
      `${turns} ${turns === 1 ? 'turn' : 'turns'}`,
      ...(tokens > 0 ? [`${tokens} tokens`] : []),
      ...(costMicros > 0 ? [`${(costMicros / 1e6).toFixed(2)} USD`] : []),
      ...(sessionId ? [`session ${sessionId}`] : []),
    ];
    return `${text || '(nothing was said)'}\n\n---\n${masked(reason, this.log.secrets)} (${figures.join(', ')})`;
  }

  /** Sends the end until the service answers. A finish after a pause is kept for a person. */
  private async report(end: PendingEnd): Promise<void> {
    const { service, item } = this.options;
    try {
      await service.end(item.issueId, end, this.stop.abandoned);
      this.update({ status: 'ended', end: null, reports: [] });
    } catch (error) {
      const refusal = error instanceof Refused ? error : null;
      const body = end.body as Schemas['FinishRequest'];
      const isPaused = refusal?.problem?.['reason'] === 'paused' && end.route === 'finish';
      if (isPaused && body.status === 'Resolved')
        return this.report({ ...end, body: { ...body, status: 'PendingReview' } });
      if (refusal?.code === 'validation_failed' && body.attachmentIds?.length)
        return this.report({ ...end, body: { ...body, attachmentIds: [] } });
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
    const { service, item } = this.options;
    const before = this.state.logId;
    try {
      const name = `awp-run-${this.token}.jsonl`;
      this.update({ logId: await service.upload(item.issueId, name, readFileSync(this.log.file)) });
      if (before) await service.removeAttachment(before);
    } catch (error) {
      // The log is on this machine too. The next upload may succeed.
      this.log.write('failure', `The log was not uploaded: ${(error as Error).message}`);
    }
  }

  private update(change: Partial<RunState>): void {
    const lastLine = masked(change.lastLine ?? this.state.lastLine, this.log.secrets);
    Object.assign(this.state, change, { lastLine, updatedAt: new Date().toISOString() });
    writeState(this.options.root, this.state);
    this.options.onProgress(this.state);
  }
}

/** @throws {StepFailed} when the service hands out no lease key: the agent's own key must not reach the agent */
function connectOf({ connect }: WorkItem): Connect {
  if (connect) return connect as unknown as Connect;
  throw new StepFailed(
    'The service hands out no lease keys (`connect` is null). Update the service, then start the runner.',
  );
}

const answersOf = (item: WorkItem): Answer[] => [...((item as { answers?: Answer[] }).answers ?? [])];

function freshState({ issueId, token }: WorkItem, agent: string, key: string): RunState {
  const now = new Date().toISOString();
  return {
    ...{
      issueId,
      key,
      agent,
      token,
      title: '',
      status: 'running',
      reason: '',
      sessionId: null,
      pid: null,
      startTime: null,
    },
    ...{
      turns: 0,
      tokens: 0,
      costMicros: 0,
      lastLine: '',
      startedAt: now,
      updatedAt: now,
      created: false,
      logId: null,
    },
    ...{ reports: [], permissions: {}, gates: {}, end: null },
  };
}
