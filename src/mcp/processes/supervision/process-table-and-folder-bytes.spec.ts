import { describe, expect, it } from '@jest/globals';
import { descendantsOf, parseStat, readProcess, readProcessTable } from './process-table-and-folder-bytes.js';

describe('the process table', () => {
  it('parses a line of /proc/PID/stat whose process name holds brackets', () => {
    const line =
      '42 (a) b) S 7 40 39 0 -1 4194560 1 2 3 4 5 6 7 8 20 0 1 0 987654 1000 250 18446744073709551615 1 1';
    expect(parseStat(line)).toMatchObject({
      pid: 42,
      parent: 7,
      group: 40,
      session: 39,
      startTicks: 987654,
      zombie: false,
    });
    expect(parseStat(line.replace(') S', ') Z')).zombie).toBe(true);
  });

  it('contains this process with its memory', async () => {
    const own = (await readProcessTable()).find((row) => row.pid === process.pid);
    expect(own).toMatchObject({ parent: process.ppid });
    const ratio = (own?.residentBytes ?? 0) / process.memoryUsage.rss();
    expect(ratio).toBeGreaterThan(0.8);
    expect(ratio).toBeLessThan(1.25);
    expect(readProcess(2 ** 22 + 1)).toBeNull();
  });

  it('finds descendants of any depth', () => {
    const row = (pid: number, parent: number): Parameters<typeof descendantsOf>[1][number] => ({
      pid,
      parent,
      group: 0,
      session: 0,
      startTicks: 0,
      residentBytes: 0,
      zombie: false,
    });
    const table = [row(1, 0), row(2, 1), row(5, 4), row(3, 2), row(4, 2)];
    expect(descendantsOf(2, table).map(({ pid }) => pid)).toEqual([3, 4, 5]);
  });
});
