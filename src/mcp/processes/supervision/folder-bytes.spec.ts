import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { bytesIn } from './process-table-and-folder-bytes.js';

const MIB = 2 ** 20;
let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'awp-folder-bytes-'));
  mkdirSync(join(folder, 'a', 'b'), { recursive: true });
  writeFileSync(join(folder, 'a', 'b', 'one'), Buffer.alloc(MIB, 1));
  writeFileSync(join(folder, 'two'), Buffer.alloc(MIB, 1));
  symlinkSync('/usr', join(folder, 'outside'));
});
afterAll(() => rmSync(folder, { recursive: true }));

describe('the bytes in the folders of a server', () => {
  it('are those of all files below, without what links lead to', async () => {
    const bytes = await bytesIn([folder], 1_000 * MIB);
    expect(bytes).toBeGreaterThanOrEqual(2 * MIB);
    expect(bytes).toBeLessThan(2.1 * MIB);
  });

  it('count a file without content', async () => {
    mkdirSync(join(folder, 'many'));
    for (let n = 0; n < 50; n += 1) writeFileSync(join(folder, 'many', String(n)), '');
    expect(await bytesIn([join(folder, 'many')], MIB)).toBeGreaterThanOrEqual(50 * 4_096);
  });

  it('are counted to the limit only', async () => {
    expect(await bytesIn([join(folder, 'many')], 8_192)).toBe(3 * 4_096);
  });

  it('are endless where a folder cannot be read, or is nested deeper than a path can be long', async () => {
    const deep = join(folder, 'deep');
    mkdirSync(deep);
    const nest = `for (let n = 0; n < 25; n += 1) {
      fs.mkdirSync('d'.repeat(200));
      process.chdir('d'.repeat(200));
    }`;
    execFileSync(process.execPath, ['-e', nest], { cwd: deep });
    try {
      expect(await bytesIn([deep], MIB)).toBe(Infinity);
    } finally {
      // Node removes by whole paths.
      execFileSync('rm', ['-r', deep]);
    }
  });

  it('are those of the other files where some come and go during the count', async () => {
    const busy = join(folder, 'busy');
    mkdirSync(busy);
    for (let n = 0; n < 200; n += 1) writeFileSync(join(busy, String(n)), '');
    const churn = `console.log('begun');
      for (;;) {
        for (let n = 0; n < 100; n += 1) fs.writeFileSync('busy' + n, '');
        for (let n = 0; n < 100; n += 1) fs.rmSync('busy' + n);
      }`;
    const other = spawn(process.execPath, ['-e', churn], { cwd: busy });
    await once(other.stdout, 'data');
    const counts: number[] = [];
    for (let n = 0; n < 15; n += 1) counts.push(await bytesIn([busy], 100 * MIB));
    other.kill();
    await once(other, 'exit');
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(200 * 4_096);
  });

  it('are zero in a folder that is gone', async () => {
    expect(await bytesIn([join(folder, 'gone')], MIB)).toBe(0);
  });
});
