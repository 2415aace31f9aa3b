import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../support/until.js';
import { compare, storedIn } from './ledger.js';
import type { GamePage } from './page.js';
import type { MetricRow, Moment, Notice, Result, Scene } from './scene.js';
import { Watch } from './watch.js';
import type { World } from './world.js';

/** Seconds within which a cause has to be noticed, and its remedy to work. The machine may be busy. */
const PATIENCE = 90;
const LASTS = 6;
const ALWAYS = ['awp_ready', 'awp_database_reachable', 'awp_database_writable'];
const FINE = /^(2\d\d|409|503)\b/;

/** What is made wrong on purpose, to see that the game day fails. */
export const PRETENCES = [
  'lost-write',
  'double-write',
  'silent-alerts',
  'no-recovery',
  'broken-invariant',
] as const;
export type Pretence = (typeof PRETENCES)[number];

/** Plays one scene: the cause, until it is noticed; the remedy, until all is well; and a comparison of every write. */
export class Play {
  private readonly watch: Watch;
  private readonly texts: string[] = [];

  constructor(
    private readonly world: World,
    private readonly scene: Scene,
    private readonly page: GamePage | null,
    private readonly pretence: Pretence | null = null,
  ) {
    const silent = pretence === 'silent-alerts' ? (scene.notices.alerts ?? []) : [];
    this.watch = new Watch(world.service, world.person, silent);
  }

  async run(): Promise<Result> {
    const { scene, world, watch } = this;
    const further: string[] = [];
    let noticed: Moment[] = [];
    let recovered: Moment[] = [];
    let endedAt = 0;
    await world.workload.goesOnSince(performance.now(), PATIENCE);
    this.page?.forget();
    await this.readPage();
    await watch.begin();
    await this.calm();
    watch.start();
    const begunAt = performance.now();
    try {
      await scene.cause(world);
      if (scene.act) await this.page?.begin(scene.act);
      noticed = await this.notice(begunAt);
      await this.readPage();
      endedAt = watch.now;
      recovered = await this.recover();
      await this.readPage();
      further.push(...((await scene.check?.(world, watch)) ?? []));
    } catch (error) {
      further.push(`The scene ended early: ${(error as Error).stack ?? String(error)}`);
    }
    await this.pretend();
    await watch.end();
    return {
      ...this.seen(begunAt, endedAt),
      noticed,
      recovered,
      endedAt,
      further,
      ...(await this.compared()),
    };
  }

  /** Waits until the alerts of the scene are silent, for at most half a minute: a busy machine may have fired one before. */
  private async calm(): Promise<void> {
    const { alerts = [] } = this.scene.notices;
    await until(() => !alerts.some((name) => this.watch.isAlerting(name)), 30).catch(() => undefined);
  }

  /** Waits until each source has said what it has to say, and the cause has lasted. */
  private async notice(begunAt: number): Promise<Moment[]> {
    const { notices, lasts = LASTS } = this.scene;
    const moments = () => this.moments(notices, begunAt);
    await until(async () => {
      await this.page?.look(notices.page, this.watch.now);
      return moments().every(({ seconds }) => seconds !== null) && this.watch.now >= lasts;
    }, PATIENCE).catch(() => undefined);
    return moments();
  }

  private moments(notices: Notice, begunAt: number): Moment[] {
    const { watch, world } = this;
    const { readyz, rises, attention, log, page, clients } = notices;
    const client = (pattern: RegExp) => {
      const one = world.workload.sent.find((sent) => sent.begunAt >= begunAt && pattern.test(sent.outcome));
      return one ? (one.endedAt - begunAt) / 1000 : null;
    };
    return [
      ...(notices.alerts ?? []).map((name) => ({
        what: `the alert ${name}`,
        seconds: watch.firstAlert(name),
      })),
      ...(readyz
        ? [{ what: `/readyz says ${wordsOf(readyz)}`, seconds: watch.firstSaid('readyz', readyz) }]
        : []),
      ...(rises ? [{ what: `${rises} rises`, seconds: watch.firstRise(rises) }] : []),
      ...(attention
        ? [
            {
              what: `attention lists ${wordsOf(attention)}`,
              seconds: watch.firstSaid('attention', attention),
            },
          ]
        : []),
      ...(log ? [{ what: `the log says '${wordsOf(log)}'`, seconds: watch.firstLine(log) }] : []),
      ...(clients ? [{ what: `a client sees ${wordsOf(clients)}`, seconds: client(clients) }] : []),
      ...(page && this.page
        ? [{ what: `the dashboard says '${wordsOf(page)}'`, seconds: this.page.firstSeen }]
        : []),
    ];
  }

  /** Seconds count from the end of the remedy: a database answers by then. */
  private async recover(): Promise<Moment[]> {
    const { scene, world, watch } = this;
    if (this.pretence !== 'no-recovery') await scene.remedy(world);
    const limit = this.pretence === 'no-recovery' ? 10 : PATIENCE;
    const remedied = performance.now();
    const after = async (what: string, condition: () => boolean): Promise<Moment> => {
      const isDone = await until(condition, limit).catch(() => false);
      return { what, seconds: isDone ? (performance.now() - remedied) / 1000 : null };
    };
    const silent = (scene.notices.alerts ?? []).filter((name) => !scene.remain?.includes(name));
    const whole = async (): Promise<Moment> => ({
      what: 'the page of the dashboard is whole again',
      seconds: await this.page!.finish(scene.act!).then(
        () => (performance.now() - remedied) / 1000,
        () => null,
      ),
    });
    const moments = await Promise.all([
      after('/readyz is 200', () => /^200/.test(watch.present('readyz'))),
      after('every client goes on', () => world.workload.stuckSince(remedied).length === 0),
      ...(this.page && scene.act ? [whole()] : []),
      ...(silent.length > 0
        ? [after('the alerts end', () => silent.every((name) => !watch.isAlerting(name)))]
        : []),
    ]);
    const stuck = world.workload.stuckSince(remedied);
    await scene.afterwards?.(world);
    await sleep(1_500); // One more scrape, for the values after the scene.
    return moments.map((moment) =>
      moment.seconds === null && moment.what.startsWith('every')
        ? { ...moment, what: `${moment.what}: ${stuck.join(', ')}` }
        : moment,
    );
  }

  private async readPage(): Promise<void> {
    if (this.page) this.texts.push(await this.page.text());
  }

  private seen(begunAt: number, endedAt: number) {
    const { scene, world, watch } = this;
    const sent = world.workload.sent.filter((one) => one.endedAt >= begunAt);
    const outcomes: Record<string, number> = {};
    for (const { outcome } of sent)
      outcomes[outcome.slice(0, 120)] = (outcomes[outcome.slice(0, 120)] ?? 0) + 1;
    const isRight = (outcome: string) => (scene.outcomes ?? FINE).test(outcome);
    return {
      scene: { name: scene.name, does: scene.does },
      metrics: this.metrics(endedAt),
      alerting: watch.alerting,
      said: watch.said,
      lines: watch.lines,
      page: this.texts,
      outcomes,
      unexpected: Object.keys(outcomes).filter((outcome) => !isRight(outcome)),
      longestMs: Math.round(Math.max(0, ...sent.map((one) => one.endedAt - one.begunAt))),
    };
  }

  private metrics(endedAt: number): MetricRow[] {
    const { scrapes } = this.watch;
    const at = (seconds: number) => scrapes.findLast((one) => one.seconds <= seconds)?.values;
    const [before, during, after] = [at(0), at(endedAt), scrapes.at(-1)?.values];
    const wanted = [...ALWAYS, ...(this.scene.metrics ?? [])];
    const series = new Set([before, during, after].flatMap((values) => [...(values?.keys() ?? [])]));
    return [...series]
      .filter((name) => wanted.includes(name) || wanted.includes(name.replace(/\{.*/, '')))
      .map((name) => ({
        name,
        before: before?.get(name) ?? null,
        during: during?.get(name) ?? null,
        after: after?.get(name) ?? null,
      }));
  }

  /** Compares all writes of the day so far with what the database has. */
  private async compared(): Promise<Pick<Result, 'acknowledged' | 'findings' | 'invariants'>> {
    const { ledger } = this.world.workload;
    const kept = ledger.snapshot();
    const last = this.watch.scrapes.at(-1)?.values ?? new Map<string, number>();
    const violations = [...last].filter(([name]) => name.startsWith('awp_invariant_violations'));
    return {
      acknowledged: kept.size,
      findings: compare(kept, await storedIn(this.world.database, this.world.project.id)),
      invariants: violations.reduce((sum, [, value]) => sum + value, 0),
    };
  }

  private async pretend(): Promise<void> {
    const { world, pretence } = this;
    const [mark] = [...world.workload.ledger.issues.keys()];
    if (pretence === 'lost-write') world.workload.ledger.issues.set('never sent', 'never-sent');
    if (pretence === 'double-write')
      world.workload.ledger.repeated.push({ mark: mark!, differs: 'pretended' });
    if (pretence === 'broken-invariant')
      await world.database.sql(
        `UPDATE issues SET status = 'WaitingOnDependency' WHERE id = '${world.issue.id}'`,
      );
  }
}

/** The words of a pattern, for people. */
const wordsOf = (pattern: RegExp): string =>
  pattern.source
    .replaceAll(/\\(.)/g, '$1')
    .replaceAll(/\.\*/g, ' … ')
    .replaceAll('|', "' or '")
    .replaceAll(/[\^$]/g, '');
