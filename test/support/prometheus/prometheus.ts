import { type Expression, parse } from './expressions.js';

type Labels = Record<string, string>;
/** A value under its labels; `__name__` is one of them until an operation drops it. */
export interface Sample {
  labels: Labels;
  value: number;
}
interface Scrape {
  at: number;
  instance: string;
  samples: Map<string, Sample>;
}
type Value = number | Sample[];

const JOB = 'agent-work-platform';
const LINE = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/;
const LABEL = /(\w+)="((?:[^"\\]|\\.)*)"/g;
const ESCAPES: Record<string, string> = { n: '\n', '"': '"', '\\': '\\' };

/**
 * Evaluates alert rules as Prometheus does, over texts of `/metrics` that a test has fetched, at the times that the test
 * gives. It knows the part of PromQL that the rules use. `rate` and `increase` are not extrapolated to the whole range.
 */
export class Prometheus {
  private readonly scrapes: Scrape[] = [];

  /** @param text of `/metrics`, or null where the process did not answer */
  add(at: number, instance: string, text: string | null): void {
    const samples = new Map<string, Sample>();
    const identity = { job: JOB, instance };
    const put = (labels: Labels, value: number) => samples.set(keyOf(labels), { labels, value });
    put({ __name__: 'up', ...identity }, text === null ? 0 : 1);
    for (const line of text?.split('\n') ?? []) {
      const [, name, inner = '', value] = LINE.exec(line) ?? [];
      if (!name) continue;
      put({ __name__: name, ...labelsIn(inner), ...identity }, value === '+Inf' ? Infinity : Number(value));
    }
    this.scrapes.push({ at, instance, samples });
  }

  /** The values of the last scrape of a process, by the name of each series with its own labels: `up`, `a{b="c"}`. */
  valuesOf(instance: string): Map<string, number> {
    const last = this.scrapes.findLast((one) => one.instance === instance);
    return new Map([...(last?.samples.values() ?? [])].map(({ labels, value }) => [seriesOf(labels), value]));
  }

  /** Returns the alerts that the expression gives at this time: one per sample. */
  firing(expression: string, at: number): Sample[] {
    const value = new Evaluation(this.scrapes, at).of(parse(expression));
    if (typeof value === 'number') throw new Error(`${expression} is a number, and so no alert.`);
    return value;
  }
}

function labelsIn(text: string): Labels {
  const found = [...text.matchAll(LABEL)].map(([, name, value]) => [
    name!,
    value!.replaceAll(/\\(.)/g, (_, escaped: string) => ESCAPES[escaped] ?? escaped),
  ]);
  return Object.fromEntries(found) as Labels;
}

const keyOf = (labels: Labels): string => JSON.stringify(Object.entries(labels).toSorted());

function seriesOf(all: Labels): string {
  const own = Object.entries(all).filter(([name]) => !['__name__', 'job', 'instance'].includes(name));
  const labels = own.map(([name, value]) => `${name}="${value}"`);
  return labels.length === 0 ? all['__name__']! : `${all['__name__']}{${labels.join(',')}}`;
}

function pickLabels(labels: Labels, names: string[]): Labels {
  return Object.fromEntries(names.flatMap((name) => (name in labels ? [[name, labels[name]!]] : [])));
}

function withoutName({ __name__, ...labels }: Labels): Labels {
  return labels;
}

const ARITHMETIC: Record<string, (left: number, right: number) => number> = {
  '+': (left, right) => left + right,
  '-': (left, right) => left - right,
  '*': (left, right) => left * right,
  '/': (left, right) => left / right,
};
const COMPARISONS: Record<string, (left: number, right: number) => boolean> = {
  '==': (left, right) => left === right,
  '!=': (left, right) => left !== right,
  '>': (left, right) => left > right,
  '<': (left, right) => left < right,
  '>=': (left, right) => left >= right,
  '<=': (left, right) => left <= right,
};
const AGGREGATES: Record<string, (values: number[]) => number> = {
  max: (values) => Math.max(...values),
  min: (values) => Math.min(...values),
  sum: (values) => values.reduce((sum, value) => sum + value, 0),
  count: (values) => values.length,
  avg: (values) => values.reduce((sum, value) => sum + value, 0) / values.length,
};
/** Each takes the samples of one series in their order, at least two for the first three. */
const OVER_TIME: Record<string, (points: { at: number; value: number }[]) => number | null> = {
  rate: (points) => (points.length < 2 ? null : grown(points) / (points.at(-1)!.at - points[0]!.at)),
  increase: (points) => (points.length < 2 ? null : grown(points)),
  changes: (points) => points.filter(({ value }, at) => at > 0 && value !== points[at - 1]!.value).length,
  min_over_time: (points) => Math.min(...points.map(({ value }) => value)),
  max_over_time: (points) => Math.max(...points.map(({ value }) => value)),
};

/** A counter that became smaller has begun again at 0. */
function grown(points: { value: number }[]): number {
  const steps = points.slice(1).map(({ value }, at) => {
    const before = points[at]!.value;
    return value < before ? value : value - before;
  });
  return AGGREGATES['sum']!(steps);
}

class Evaluation {
  constructor(
    private readonly scrapes: readonly Scrape[],
    private readonly at: number,
  ) {}

  of(expression: Expression): Value {
    switch (expression.kind) {
      case 'number':
        return expression.value;
      case 'selector':
        return this.instant(expression);
      case 'call':
        return this.call(expression.name, expression.of);
      case 'aggregate':
        return grouped(this.vector(expression.of), expression.by, AGGREGATES[expression.name]!);
      case 'binary':
        return this.binary(expression);
    }
  }

  private vector(expression: Expression): Sample[] {
    const value = this.of(expression);
    if (typeof value === 'number') throw new Error('A number in the place of series.');
    return value;
  }

  /** Of each process its last scrape alone: what it does not have is stale. */
  private instant({ name, matchers }: Expression & { kind: 'selector' }): Sample[] {
    const last = new Map(this.scrapes.filter(({ at }) => at <= this.at).map((one) => [one.instance, one]));
    return [...last.values()].flatMap(({ samples }) =>
      [...samples.values()].filter(
        ({ labels }) =>
          labels['__name__'] === name && matchers.every(({ label, matches }) => matches(labels[label] ?? '')),
      ),
    );
  }

  private call(name: string, of: Expression[]): Value {
    const [first, second] = of;
    if (name === 'time') return this.at;
    if (name === 'absent') return this.vector(first!).length === 0 ? [{ labels: {}, value: 1 }] : [];
    if (name === 'histogram_quantile') return quantiles(this.of(first!) as number, this.vector(second!));
    const over = OVER_TIME[name];
    if (!over || first?.kind !== 'selector' || first.rangeSeconds === null)
      throw new Error(`The test evaluates no ${name}.`);
    return this.overTime(first, over);
  }

  private overTime(
    selector: Expression & { kind: 'selector' },
    over: (points: { at: number; value: number }[]) => number | null,
  ): Sample[] {
    const points = new Map<string, { labels: Labels; points: { at: number; value: number }[] }>();
    for (const { at } of this.scrapes.filter((one) => this.isWithin(one.at, selector.rangeSeconds!)))
      for (const { labels, value } of new Evaluation(
        this.scrapes.filter((one) => one.at === at),
        at,
      ).instant(selector)) {
        const key = keyOf(labels);
        const series = points.get(key) ?? { labels, points: [] };
        series.points.push({ at, value });
        points.set(key, series);
      }
    return [...points.values()].flatMap(({ labels, points: all }) => {
      const value = over(all);
      return value === null ? [] : [{ labels: withoutName(labels), value }];
    });
  }

  private isWithin(at: number, seconds: number): boolean {
    return at <= this.at && at > this.at - seconds;
  }

  private binary({ operator, on, left, right }: Expression & { kind: 'binary' }): Value {
    const [one, other] = [this.of(left), this.of(right)];
    if (typeof one === 'number' && typeof other === 'number') return ARITHMETIC[operator]!(one, other);
    if (typeof other === 'number')
      return (one as Sample[]).flatMap((sample) => combined(operator, sample, sample.value, other));
    if (typeof one === 'number')
      return other.flatMap((sample) => combined(operator, sample, one, sample.value));
    return matched(operator, on, one, other);
  }
}

/** A comparison keeps the sample, and arithmetic makes another one without the name. */
function combined(operator: string, sample: Sample, left: number, right: number): Sample[] {
  const holds = COMPARISONS[operator];
  if (holds) return holds(left, right) ? [sample] : [];
  return [{ labels: withoutName(sample.labels), value: ARITHMETIC[operator]!(left, right) }];
}

function matched(operator: string, on: string[] | null, left: Sample[], right: Sample[]): Sample[] {
  const signature = ({ labels }: Sample) => keyOf(on ? pickLabels(labels, on) : withoutName(labels));
  const partners = new Map(right.map((sample) => [signature(sample), sample]));
  if (operator === 'or') {
    const present = new Set(left.map(signature));
    return [...left, ...right.filter((sample) => !present.has(signature(sample)))];
  }
  return left.flatMap((sample) => {
    const partner = partners.get(signature(sample));
    if (operator === 'unless') return partner ? [] : [sample];
    if (!partner) return [];
    return operator === 'and' ? [sample] : combined(operator, sample, sample.value, partner.value);
  });
}

function grouped(samples: Sample[], by: string[], aggregate: (values: number[]) => number): Sample[] {
  const groups = new Map<string, { labels: Labels; values: number[] }>();
  for (const { labels, value } of samples) {
    const kept = pickLabels(labels, by);
    const group = groups.get(keyOf(kept)) ?? { labels: kept, values: [] };
    group.values.push(value);
    groups.set(keyOf(kept), group);
  }
  return [...groups.values()].map(({ labels, values }) => ({ labels, value: aggregate(values) }));
}

/** The value within the bucket is interpolated, as Prometheus does; without observations there is none. */
function quantiles(quantile: number, buckets: Sample[]): Sample[] {
  const histograms = new Map<string, { labels: Labels; buckets: { le: number; count: number }[] }>();
  for (const { labels, value } of buckets) {
    const { le = '', ...rest } = withoutName(labels);
    const histogram = histograms.get(keyOf(rest)) ?? { labels: rest, buckets: [] };
    histogram.buckets.push({ le: le === '+Inf' ? Infinity : Number(le), count: value });
    histograms.set(keyOf(rest), histogram);
  }
  return [...histograms.values()].flatMap(({ labels, buckets: all }) => {
    const sorted = all.toSorted((one, other) => one.le - other.le);
    const rank = quantile * sorted.at(-1)!.count;
    if (rank === 0) return [];
    const at = sorted.findIndex(({ count }) => count >= rank);
    const [lower, from] = at === 0 ? [0, 0] : [sorted[at - 1]!.le, sorted[at - 1]!.count];
    const { le, count } = sorted[at]!;
    const value = le === Infinity ? lower : lower + ((le - lower) * (rank - from)) / (count - from);
    return [{ labels, value }];
  });
}
