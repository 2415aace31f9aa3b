import { setTimeout as sleep } from 'node:timers/promises';
import { anonymous } from '../support/callers.js';
import type { Caller } from '../support/caller.js';
import { type AlertRule, WatchedAlerts } from '../support/prometheus/watched-alerts.js';
import type { Service } from '../support/service.js';
import { LogReader, type LogLine } from './log-lines.js';

const PROBE_MS = 250;
const SCRAPE_MS = 1_000;
const DASHBOARD_MS = 1_000;

/** What a source said from a moment on, until it said something else. Seconds count from the cause. */
export interface Said {
  seconds: number;
  text: string;
}

/** From when to when the expression of a rule was true; null where it still is. */
export interface Alerting {
  rule: AlertRule;
  from: number;
  to: number | null;
}

/** The sources that say something about the service, by the name that the log gives them. */
export const SOURCES = ['readyz', 'livez', 'attention', 'halt', 'about'] as const;
export type Source = (typeof SOURCES)[number];

/** Watches one scene from outside, as probes, Prometheus, a person at the dashboard and a collector of logs do. */
export class Watch {
  readonly said: Record<Source, Said[]> = { readyz: [], livez: [], attention: [], halt: [], about: [] };
  readonly alerting: Alerting[] = [];
  /** The values of `/metrics`, each with the second of its scrape. */
  readonly scrapes: { seconds: number; values: Map<string, number> }[] = [];
  private readonly alerts: WatchedAlerts;
  private readonly log: LogReader;
  /** The moment of the cause, of `performance.now()`; null before it. */
  private begunAt: number | null = null;
  private isEnding = false;
  private readonly loops: Promise<void>[] = [];

  /** @param silent alert rules that never fire, to prove that a scene fails without them */
  constructor(
    private readonly service: Service,
    private readonly person: Caller,
    private readonly silent: readonly string[] = [],
  ) {
    this.alerts = new WatchedAlerts(() => [this.service]);
    this.log = new LogReader(service);
  }

  /** Reads what is said before the cause, and watches on. */
  async begin(): Promise<void> {
    await this.scrape();
    await this.probe();
    await this.look();
    this.loops.push(
      this.repeat(PROBE_MS, () => this.probe()),
      this.repeat(SCRAPE_MS, () => this.scrape()),
      this.repeat(DASHBOARD_MS, () => this.look()),
    );
  }

  /** From now on seconds count: the cause follows. */
  start(): void {
    this.log.skip();
    this.begunAt = performance.now();
  }

  async end(): Promise<void> {
    this.isEnding = true;
    await Promise.all(this.loops);
  }

  /** Seconds since the cause; -1 before it. */
  get now(): number {
    return this.begunAt === null ? -1 : (performance.now() - this.begunAt) / 1000;
  }

  get lines(): LogLine[] {
    return this.log.lines(this.begunAt ?? performance.now());
  }

  present(source: Source): string {
    return this.said[source].at(-1)?.text ?? '';
  }

  /** The second in which a source first said this after the cause, or null. */
  firstSaid(source: Source, pattern: RegExp): number | null {
    return this.said[source].find(({ seconds, text }) => seconds >= 0 && pattern.test(text))?.seconds ?? null;
  }

  firstLine(pattern: RegExp): number | null {
    return this.lines.find(({ text }) => pattern.test(text))?.seconds ?? null;
  }

  firstRise(series: string): number | null {
    const valueOf = (values: Map<string, number>) => values.get(series) ?? 0;
    const before = this.scrapes.findLast(({ seconds }) => seconds < 0);
    if (!before) return null;
    const later = this.scrapes.filter(({ seconds }) => seconds >= 0);
    return later.find(({ values }) => valueOf(values) > valueOf(before.values))?.seconds ?? null;
  }

  firstAlert(name: string): number | null {
    return this.alerting.find(({ rule, from }) => rule.name === name && from >= 0)?.from ?? null;
  }

  isAlerting(name: string): boolean {
    return this.alerting.some(({ rule, to }) => rule.name === name && to === null);
  }

  private async repeat(ms: number, step: () => Promise<void>): Promise<void> {
    for (; !this.isEnding; await sleep(ms)) await step();
  }

  private note(source: Source, text: string): void {
    if (this.present(source) !== text) this.said[source].push({ seconds: this.now, text });
  }

  private async probe(): Promise<void> {
    const probe = anonymous(this.service).unchecked();
    for (const source of ['readyz', 'livez'] as const)
      this.note(
        source,
        await answerOf(probe, `/${source}`, ({ checks, status }) => JSON.stringify(checks ?? status)),
      );
  }

  private async scrape(): Promise<void> {
    await this.alerts.scrape();
    const seconds = this.now;
    this.scrapes.push({ seconds, values: this.alerts.lastValues() });
    for (const rule of this.alerts.rules) this.judge(rule, seconds);
  }

  private judge(rule: AlertRule, seconds: number): void {
    const isFiring = !this.silent.includes(rule.name) && this.alerts.firing(rule.name).length > 0;
    const open = this.alerting.find((one) => one.rule === rule && one.to === null);
    if (isFiring && !open) this.alerting.push({ rule, from: seconds, to: null });
    if (!isFiring && open) open.to = seconds;
  }

  /** What the dashboard of a person who is signed in asks for on every screen. */
  private async look(): Promise<void> {
    const { person } = this;
    this.note(
      'attention',
      await answerOf(
        person,
        '/api/attention',
        ({ items }) =>
          (items as { kind: string }[])
            .map(({ kind }) => kind)
            .toSorted()
            .join(', ') || 'nothing',
      ),
    );
    this.note(
      'halt',
      await answerOf(person, '/api/agents/halt', ({ halted }) => (halted ? 'halted' : 'not halted')),
    );
    this.note('about', await answerOf(person, '/api/info', ({ version }) => `version ${String(version)}`));
  }
}

type Body = Record<string, unknown>;

/** The status and what the body says, or the code of its problem. */
async function answerOf(caller: Caller, path: string, words: (body: Body) => string): Promise<string> {
  try {
    const answer = await caller.get<Body>(path, { signal: AbortSignal.timeout(20_000) });
    const isProblem = answer.status >= 400 && answer.body?.['code'] !== undefined;
    return `${answer.status} ${isProblem ? String(answer.body['code']) : words(answer.body ?? {})}`;
  } catch (error) {
    return /Timeout|Abort/.test((error as Error).name) ? 'no answer in 20 s' : 'no connection';
  }
}
