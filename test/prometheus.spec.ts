import { describe, expect, it } from '@jest/globals';
import { parse } from './support/prometheus/expressions.js';
import { Prometheus } from './support/prometheus/prometheus.js';

/** Scrapes one process every 15 seconds from 0 on, each time with the next text. */
function scraped(...texts: (string | null)[]): Prometheus {
  const prometheus = new Prometheus();
  for (const [number, text] of texts.entries()) prometheus.add(number * 15, 'a', text);
  return prometheus;
}
const values = (prometheus: Prometheus, expression: string, at = 15) =>
  prometheus.firing(expression, at).map(({ value }) => value);

// The expected values are those of `promtool test rules` 2.42, except for `increase`, which it extrapolates to the range.
describe('the evaluation of alert rules in tests', () => {
  it('compares and calculates in the order of PromQL', () => {
    const one = scraped('x 2\ny 3');
    expect(values(one, 'x + y * 2 > 7')).toEqual([8]);
    expect(values(one, '(x + y) * 2 > 11')).toEqual([]);
    expect(values(one, 'x == 2 and y == 3')).toEqual([2]);
    expect(values(one, 'x == 2 and y == 4')).toEqual([]);
    expect(values(one, 'time() - x > 5', 10)).toEqual([8]);
  });

  it('selects by labels, and matches series by theirs', () => {
    const one = scraped('f{d="a\\"b"} 1\nf{d="c"} 2\ns{d="c"} 4');
    expect(values(one, 'f{d=~"a.*"} > 0')).toEqual([1]);
    expect(values(one, 'f{d!~"a.*|x"} > 0')).toEqual([2]);
    expect(values(one, 'f / s < 1')).toEqual([0.5]);
    expect(values(one, 'max by (d) (f) > 1')).toEqual([2]);
    expect(values(one, 'sum(f) > 0')).toEqual([3]);
  });

  it('sees no increase in the first value of a series, and one across a restart', () => {
    expect(values(scraped('', 'c_total 5'), 'increase(c_total[1m]) > 0')).toEqual([]);
    expect(values(scraped('c_total 4', 'c_total 3'), 'increase(c_total[1m]) > 0')).toEqual([3]);
    expect(values(scraped('t 1', 't 2'), 'changes(t[1m]) > 0')).toEqual([1]);
  });

  it('drops a series that the last scrape does not have', () => {
    expect(values(scraped('x 1', ''), 'x > 0')).toEqual([]);
    expect(values(scraped('x 1', null), 'absent(x)')).toEqual([1]);
    expect(values(scraped('x 1', null), 'up == 0')).toEqual([0]);
  });

  it('interpolates a quantile within its bucket', () => {
    const text = (many: number) =>
      `h_bucket{le="1"} 0\nh_bucket{le="3"} ${many}\nh_bucket{le="+Inf"} ${many}`;
    const two = scraped(text(0), text(10));
    expect(values(two, 'histogram_quantile(0.5, sum by (le) (rate(h_bucket[1m]))) > 0')).toEqual([2]);
  });

  it.each(['x ?? 1', 'x >', 'max by (a (x)', 'topk(1, x) > 0'])(
    'refuses %s, which it does not know',
    (text) => {
      expect(() => scraped('x 1').firing(text, 15)).toThrow();
    },
  );

  it('reads a range, and numbers with an exponent', () => {
    expect(parse('x[5m]')).toMatchObject({ rangeSeconds: 300 });
    expect(parse('1e9')).toEqual({ kind: 'number', value: 1e9 });
  });
});
