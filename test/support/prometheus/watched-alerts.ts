import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { anonymous } from '../callers.js';
import type { Service } from '../service.js';
import { hasSmallDisks } from '../small-disk.js';
import { until } from '../until.js';
import { FIRED_IN, ON_SMALL_DISKS } from './fired-alerts.js';
import { Prometheus, type Sample } from './prometheus.js';

const FILE = resolve(import.meta.dirname, '../../../deploy/prometheus/alerts.yml');
/** A rule of the file. Its expression stands on its line, or indented below it. */
export interface AlertRule {
  name: string;
  expression: string;
  /** How long the expression has to be true, such as `5m`; empty where it fires at once. */
  waits: string;
  severity: string;
}

const RULES: readonly AlertRule[] = readFileSync(FILE, 'utf8')
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((rule) => ({
    name: rule.split('\n', 1)[0]!,
    expression: /^ {8}expr: (?:\|\n)?(.+(?:\n {10}.*)*)/m.exec(rule)![1]!.replaceAll(/^ *#.*$/gm, ''),
    waits: /^ {8}for: (\w+)/m.exec(rule)?.[1] ?? '',
    severity: /severity: (\w+)/.exec(rule)![1]!,
  }));

/** The rules of `deploy/prometheus/alerts.yml` over what real services report. How long a rule waits (`for`) is left out. */
export class WatchedAlerts {
  /** The rules that have been evaluated in this file of tests and gave an alert. */
  private static readonly fired = new Set<string>();
  readonly rules = RULES;
  private readonly prometheus = new Prometheus();
  private last = 0;

  constructor(private readonly services: () => Service[]) {}

  /** The rules that the tests of this file should have made fire, and have not. */
  static silent(file: keyof typeof FIRED_IN): string[] {
    const isPossible = (name: string) => hasSmallDisks || !ON_SMALL_DISKS.includes(name);
    return FIRED_IN[file].filter((name) => isPossible(name) && !WatchedAlerts.fired.has(name));
  }

  /** Scrapes each process once, as Prometheus does. A process that does not answer has `up` 0. */
  async scrape(): Promise<number> {
    const at = (this.last = Math.max(Date.now() / 1000, this.last + 0.001));
    for (const [number, service] of this.services().entries()) {
      // A process that has ended is what some alerts are about.
      const text = await anonymous(service.itself)
        .unchecked()
        .get('/metrics')
        .then((answer) => (answer.status === 200 ? answer.text : null))
        .catch(() => null);
      this.prometheus.add(at, `process ${number}`, text);
    }
    return at;
  }

  /** Returns what the rule says of the scrapes so far. @param later seconds after the last one */
  firing(name: string, later = 0): Sample[] {
    const expression = RULES.find((rule) => rule.name === name)?.expression;
    if (expression === undefined) throw new Error(`There is no rule ${name}.`);
    const alerts = this.prometheus.firing(expression, this.last + later);
    if (alerts.length > 0) WatchedAlerts.fired.add(name);
    return alerts;
  }

  /** The values of the last scrape of the first process, by the name of each series with its labels. */
  lastValues(): Map<string, number> {
    return this.prometheus.valuesOf('process 0');
  }

  /** Scrapes until the rule fires, and returns its alerts. */
  fires(name: string): Promise<Sample[]> {
    return this.becomes(name, true);
  }

  /** Scrapes until the rule is silent. */
  async ends(name: string): Promise<void> {
    await this.becomes(name, false);
  }

  private async becomes(name: string, isFiring: boolean): Promise<Sample[]> {
    return until(async () => {
      await this.scrape();
      const found = this.firing(name);
      return found.length > 0 === isFiring ? found : null;
    });
  }
}
