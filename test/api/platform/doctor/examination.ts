import { execFile } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export type Settings = Record<string, string>;

/** How the doctor is run, beside its settings. */
export interface Way {
  /** The user and group, where the test runs as root. */
  uid?: number;
  /** Commands that run it, such as a shell that lowers a limit. */
  through?: string[];
  /** Arguments of Node before the script. */
  node?: string[];
}

interface Verdict {
  level: 'info' | 'warn' | 'error';
  check: string;
  msg: string;
  fix?: string;
}

/** What one run of `npm run doctor` found. */
export interface Examination {
  code: number;
  /** All that it wrote. */
  said: string;
  verdicts: Verdict[];
}

const DOCTOR = resolve(import.meta.dirname, '../../../../scripts/doctor.mjs');

/**
 * A folder with an `npm` that reaches its registry at once: what is planted elsewhere need not wait for the network. The tests of
 * the registry itself run the real one.
 */
const bin = mkdtempSync(join(tmpdir(), 'awp-doctor-bin-'));
chmodSync(bin, 0o755);
writeFileSync(join(bin, 'npm'), '#!/bin/sh\necho 1.0.0\n', { mode: 0o755 });
process.once('exit', () => rmSync(bin, { recursive: true, force: true }));

export const PATH = `${bin}:${process.env['PATH']}`;

/** Runs the real doctor with only these settings. */
export function examine(
  settings: Settings,
  { uid, through = [], node = [] }: Way = {},
): Promise<Examination> {
  const env = { PATH, HOME: process.env['HOME'], PORT: '0', ...settings };
  const [command, ...args] = [...through, process.execPath, ...node, DOCTOR, '--json'];
  const user = uid === undefined ? {} : { uid, gid: uid };
  return new Promise((done) => {
    execFile(command!, args, { env, ...user }, (error, stdout, stderr) =>
      done({ code: error ? Number(error.code) : 0, said: stdout + stderr, verdicts: verdictsIn(stdout) }),
    );
  });
}

function verdictsIn(output: string): Verdict[] {
  return output.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    const { context, ...verdict } = JSON.parse(line) as Verdict & { context: string };
    return context === 'Doctor' ? [verdict] : [];
  });
}
