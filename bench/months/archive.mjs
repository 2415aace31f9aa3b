// Archives a month with `npm run archive`, and restores it.
import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { inRoot } from '../../scripts/paths.mjs';

export async function measureArchive(arena, month) {
  for (const [name, args] of [
    ['archive and drop', [month]],
    ['verify', ['--verify', month]],
    ['restore', ['--restore', month]],
  ]) {
    const { seconds, peakMiB, text } = await run(arena, args);
    console.log(
      `\n${name} of ${month}: ${seconds.toFixed(1)} s, ${peakMiB} MiB of memory\n${text.trimEnd()}`,
    );
  }
}

async function run({ settings }, args) {
  const began = performance.now();
  const child = spawn(process.execPath, [inRoot('scripts/archive.mjs'), ...args], {
    env: settings,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let peakMiB = 0;
  const watch = setInterval(() => (peakMiB = peakOf(child.pid) ?? peakMiB), 200);
  let text = '';
  for await (const chunk of child.stdout) text += chunk;
  clearInterval(watch);
  return { seconds: (performance.now() - began) / 1000, peakMiB, text };
}

/** The most memory that a process has had, or null once it has ended. */
function peakOf(pid) {
  try {
    return Math.round(Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
  } catch {
    return null;
  }
}
