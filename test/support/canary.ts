import { readdirSync, readFileSync } from 'node:fs';

/** A word that occurs nowhere else; plain letters, so it reads the same in a URL and in JSON. */
const MARK = 'Kanarek7vQ2xLeak';

/** A secret as the tests store them: wherever it turns up, it is recognised. */
export const canary = (rest: string): string => `${MARK}-${rest}`;

/** The mark as it reads in base64 depends on how many bytes stand before it: its middle is the same in three cases. */
const inBase64 = [0, 1, 2].map((before) => {
  const bytes = Buffer.from(' '.repeat(before) + MARK);
  const whole = bytes.subarray(0, bytes.length - (bytes.length % 3)).toString('base64');
  return whole.slice(before === 0 ? 0 : 4);
});
const inHex = Buffer.from(MARK).toString('hex');

/** Every form of the mark: plain (also in a URL), base64 and its URL spelling, hex. */
export const markForms = [MARK, ...inBase64, inHex, inHex.toUpperCase()];
const anyForm = new RegExp(markForms.join('|'));
/** A text that comes in parts hides no canary where this many characters of the last part stand before the next. */
export const LONGEST_FORM = Math.max(...markForms.map((form) => form.length));

/** What the tests of this file have done with canaries: modules live as long as their test file. */
const seen = { stored: false, leaks: new Set<string>(), lookedAtArguments: 0 };

/** Whether it is one of ours. */
export const isCanary = (value: string): boolean => value.includes(MARK);

/** Notes that a service of this test file was sent a canary, where the text holds one. */
export function noteStored(text: string): void {
  if (isCanary(text)) seen.stored = true;
}

/** Whether any service of this test file was sent one. */
export const canariesWereStored = (): boolean => seen.stored;

/** Notes a leak, told by `refuseLeaks`, where the text holds a canary in any form. */
export function lookForCanary(where: string, text: string): void {
  const found = anyForm.exec(text);
  if (!found) return;
  const around = text.slice(Math.max(0, found.index - 80), found.index + 80);
  seen.leaks.add(`${where}: …${around}…`);
}

/** The same for what is no text; `where` is named only. */
export function lookForCanaryInBytes(where: string, bytes: Buffer): void {
  if (markForms.some((form) => bytes.includes(form, 0, 'latin1'))) seen.leaks.add(where);
}

/** Fails where a canary has come out. */
export function refuseLeaks(): void {
  if (seen.leaks.size === 0) return;
  const told = [...seen.leaks].slice(0, 10).join('\n');
  seen.leaks.clear();
  throw new Error(`A secret has leaked:\n${told}`);
}

const EVERY_MS = 250;

/** Looks at the arguments of all processes of this host, now and then. */
export function lookForCanaryInArguments(): void {
  if (!seen.stored || performance.now() - seen.lookedAtArguments < EVERY_MS) return;
  for (const pid of readdirSync('/proc').filter((name) => /^\d+$/.test(name)))
    lookForCanary(`the arguments of process ${pid}`, argumentsOf(pid));
  seen.lookedAtArguments = performance.now();
}

/** Empty for a process that has ended meanwhile. */
function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1');
  } catch {
    return '';
  }
}
