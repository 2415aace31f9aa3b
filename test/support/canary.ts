import { readdirSync, readFileSync } from 'node:fs';

/** A word that occurs nowhere else. It has plain letters only, so it is the same in a URL and in JSON. */
const MARK = 'Kanarek7vQ2xLeak';

/** Returns a secret for a test to store, which is recognised wherever it appears. */
export const canary = (rest: string): string => `${MARK}-${rest}`;

/** The base64 form of the mark depends on the number of bytes before it. Its middle part has three variants. */
const inBase64 = [0, 1, 2].map((before) => {
  const bytes = Buffer.from(' '.repeat(before) + MARK);
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64');
  return whole.slice(before === 0 ? 0 : 4);
});
const inHex = Buffer.from(MARK).toString('hex');

/** Every form of the mark: plain (as in a URL), base64, base64url, hex. */
export const markForms = [MARK, ...inBase64, inHex, inHex.toUpperCase()];
const anyForm = new RegExp(markForms.join('|'));
/** For a text that arrives in parts: how many characters of the last part must precede the next to find every canary. */
export const LONGEST_FORM = Math.max(...markForms.map((form) => form.length));

/** What the tests of this file have done with canaries. Jest loads modules once per test file. */
const seen = { stored: false, leaks: new Set<string>(), lookedAtArguments: 0 };

/** Returns whether the value is a canary. */
export const isCanary = (value: string): boolean => value.includes(MARK);

/** Records that a canary was sent to a service of this test file, when the text contains one. */
export function noteStored(text: string): void {
  if (isCanary(text)) seen.stored = true;
}

/** Returns whether a canary was sent to any service of this test file. */
export const canariesWereStored = (): boolean => seen.stored;

/** Records a leak, which `refuseLeaks` reports, when the text contains a canary in any form. */
export function lookForCanary(where: string, text: string): void {
  const found = anyForm.exec(text);
  if (!found) return;
  const around = text.slice(Math.max(0, found.index - 80), found.index + 80);
  seen.leaks.add(`${where}: …${around}…`);
}

/** Does the same for binary data. `where` only names the place. */
export function lookForCanaryInBytes(where: string, bytes: Buffer): void {
  if (markForms.some((form) => bytes.includes(form, 0, 'latin1'))) seen.leaks.add(where);
}

/** @throws {Error} when a canary has leaked */
export function refuseLeaks(): void {
  if (seen.leaks.size === 0) return;
  const told = [...seen.leaks].slice(0, 10).join('\n');
  seen.leaks.clear();
  throw new Error(`A secret has leaked:\n${told}`);
}

const EVERY_MS = 1_000;

/** Searches the arguments of all processes of this host from time to time. */
export function lookForCanaryInArguments(): void {
  if (!seen.stored || performance.now() - seen.lookedAtArguments < EVERY_MS) return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    lookForCanary(`the arguments of process ${pid}`, argumentsOf(pid));
  seen.lookedAtArguments = performance.now();
}

/**
 * Returns nothing for a process that has ended meanwhile, and for curl: the service starts none, and another test file runs
 * the commands of the documents, which have a key among their arguments, beside this one.
 */
function argumentsOf(pid: string): string {
  try {
    const text = readFileSync(`/proc/${pid}/cmdline`, 'latin1');
    return /^(?:[^\0]*\/)?curl\0/.test(text) ? '' : text;
  } catch {
    return '';
  }
}
