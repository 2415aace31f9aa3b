import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { FIRED_IN } from './support/prometheus/fired-alerts.js';

const root = resolve(import.meta.dirname, '..');
const read = (path: string) => readFileSync(resolve(root, path), 'utf8');
const sources = () =>
  (readdirSync(resolve(root, 'src'), { recursive: true }) as string[])
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.spec.ts'))
    .map((file) => read(`src/${file}`));
/** A metric with the labels of its selector, such as `awp_issues{status="Open"}`. */
const USE = /\b(awp_[a-z0-9_]+)(?:\{([^}]*)\})?/g;
/** The place in the source that makes a metric of our own. */
const MADE = /(?:name: |(?:gauge|counter|counted|fact|histogram)(?:<[^>]*>)?\(\s*)'(awp_[a-z0-9_]+)'/g;
/** Labels that Prometheus adds to each series. */
const ADDED = ['job', 'instance'];

interface Expression {
  where: string;
  text: string;
}

/** Returns the names that /metrics has: those of the source, and those of Node, which prom-client makes. */
async function knownNames(): Promise<Set<string>> {
  const own = sources().flatMap((text) => [...text.matchAll(MADE)].map(([, name]) => name!));
  const register = new Registry();
  collectDefaultMetrics({ register, prefix: 'awp_' });
  return new Set([...own, ...register.getMetricsAsArray().map(({ name }) => name)]);
}

/** Returns the expressions of the alert rules. A rule has one, on its line or indented below it. */
function ofAlerts(): Expression[] {
  const rules = read('deploy/prometheus/alerts.yml')
    .split(/^ {6}- alert: /m)
    .slice(1);
  return rules.map((rule) => ({
    where: rule.split('\n', 1)[0]!,
    text: /^ {8}expr: (.+(?:\n {10}.*)*)/m.exec(rule)?.[1] ?? '',
  }));
}

interface Panel {
  title: string;
  targets?: { expr: string }[];
}
function ofDashboard(): Expression[] {
  const { panels } = JSON.parse(read('deploy/grafana/agent-work-platform.json')) as { panels: Panel[] };
  return panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({ where: title, text: expr })),
  );
}

const namesIn = ({ text }: Expression) => [...text.matchAll(USE)].map(([, name]) => name!);

describe.each([
  ['the alert rules', ofAlerts, 35],
  ['the dashboard', ofDashboard, 30],
])('%s', (_, expressions, atLeast) => {
  it('have expressions, each with a metric', () => {
    expect(expressions().length).toBeGreaterThanOrEqual(atLeast);
    const without = expressions().filter((one) => namesIn(one).length === 0 && !/^up\{/.test(one.text));
    expect(without).toEqual([]);
  });

  it('name only metrics that GET /metrics has', async () => {
    const known = await knownNames();
    expect(known).toContain('awp_http_request_duration_seconds');
    const isKnown = (name: string) => known.has(name) || known.has(name.replace(/_(bucket|count|sum)$/, ''));
    const unknown = expressions().flatMap((one) =>
      namesIn(one)
        .filter((name) => !isKnown(name))
        .map((name) => `${one.where}: ${name}`),
    );
    expect(unknown).toEqual([]);
  });

  it('select by labels that the source of the metric has', () => {
    const source = sources().join('\n');
    const unknown = expressions().flatMap(({ where, text }) =>
      [...text.matchAll(USE)].flatMap(([, name, selector = '']) => {
        const labels = [...selector.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)].map(([, label]) => label!);
        const made = source.indexOf(`'${name!.replace(/_(bucket|count|sum)$/, '')}'`);
        const here = source.slice(made, made + 400);
        return labels
          .filter((label) => !ADDED.includes(label) && !here.includes(`'${label}'`))
          .map((label) => `${where}: ${name}{${label}}`);
      }),
    );
    expect(unknown).toEqual([]);
  });
});

describe('each alert', () => {
  const rules = read('deploy/prometheus/alerts.yml')
    .split(/^ {6}- alert: /m)
    .slice(1);
  const nameOf = (rule: string) => rule.split('\n', 1)[0]!;

  it('has a severity, a summary and a description', () => {
    const parts = [
      /severity: (?:critical|warning|info) /,
      /^ {10}summary: '.+'$/m,
      /^ {10}description: '.+'$/m,
    ];
    expect(rules.filter((rule) => !parts.every((part) => part.test(rule))).map(nameOf)).toEqual([]);
  });

  it('is fired by a file of tests, whose last test looks whether it has', () => {
    const lists = Object.values(FIRED_IN) as (readonly string[])[];
    expect(lists.flat().toSorted()).toEqual(rules.map(nameOf).toSorted());
    for (const name of Object.keys(FIRED_IN)) {
      const last = read(`test/api/platform/${name}.api-spec.ts`).split(/^it\(/m).at(-1);
      expect(last).toContain(`expect(WatchedAlerts.silent('${name}')).toEqual([]);`);
    }
  });

  it('links to a section of docs/operations.md with its name, which says what it means, what to look at and what to do', () => {
    const sections = new Map(
      read('docs/operations.md')
        .split(/^### /m)
        .slice(1)
        .map((section) => [section.split('\n', 1)[0]!, section]),
    );
    const parts = [/^- \*\*Means:\*\* ./m, /^- \*\*Look at:\*\* ./m, /^- \*\*Do:\*\* ./m];
    const lost = rules.filter((rule) => {
      const name = nameOf(rule);
      const isLinked = rule.includes(`runbook_url: 'docs/operations.md#${name.toLowerCase()}'`);
      const section = sections.get(name) ?? '';
      return !isLinked || !parts.every((part) => part.test(section));
    });
    expect(lost.map(nameOf)).toEqual([]);
    expect([...sections.keys()].filter((name) => name.startsWith('Awp'))).toEqual(rules.map(nameOf));
  });
});

describe('the links within docs/operations.md', () => {
  it('lead to headings that exist', () => {
    const page = read('docs/operations.md');
    const anchors = [...page.matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
      heading!
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    );
    const links = [...page.matchAll(/\]\(#([^)]+)\)/g)].map(([, anchor]) => anchor!);
    expect(links.filter((anchor) => !anchors.includes(anchor))).toEqual([]);
  });
});
