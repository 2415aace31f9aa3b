import { describe, expect, it } from '@jest/globals';
import { exportLog } from './open-telemetry.js';

describe('the log of the export', () => {
  it('has one line per minute, which counts those that were left out', () => {
    const lines: string[] = [];
    let now = 0;
    const log = exportLog(
      (line) => lines.push(line),
      'collector:4318',
      () => now,
    );
    for (let batch = 0; batch < 50; batch += 1) log.error('{"message":"connect ECONNREFUSED","stack":"…"}');
    now = 60_000;
    log.warn('Dropped 7 spans because maxQueueSize reached');
    expect(lines).toEqual([
      'Traces do not reach collector:4318: connect ECONNREFUSED',
      'Traces do not reach collector:4318: Dropped 7 spans because maxQueueSize reached (49 more such problems since the last line)',
    ]);
  });

  it.each([
    ['{"stack":"s","message":"Unauthorized","code":"401","data":"your key is k-1"}', /: Unauthorized$/],
    ['{"message":"","code":"ECONNREFUSED"}', /: ECONNREFUSED$/],
    ['{}', /: the export failed$/],
    ['{no JSON', /: \{no JSON$/],
    ['x'.repeat(1_000), /: x{200}$/],
  ])('names the error and nothing that the collector responded: %s', (message, line) => {
    const lines: string[] = [];
    exportLog((text) => lines.push(text), 'collector:4318').error(message);
    expect(lines).toEqual([expect.stringMatching(line)]);
  });
});
