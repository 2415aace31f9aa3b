// `npm run import -- PROJECT FILE` sends a file to a service that runs, and shows how far its import is until it ends.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import process from 'node:process';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { usageOf } from './commands.mjs';
import { callService, EXIT_FAILED, EXIT_USAGE, runClient } from './import/client.mjs';

const LOOK_MS = 500;
const OPTIONS = { format: { type: 'string', default: 'awp' }, json: { type: 'boolean', default: false } };
/** How many lines of the report are printed; `--json` prints all that the service keeps. */
const MOST_SHOWN = 50;

process.exitCode = await runClient(usageOf('import'), async () => {
  const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const [project, file] = positionals;
  if (positionals.length !== 2) return EXIT_USAGE;
  const { size } = await stat(file);
  const path = `/api/projects/${encodeURIComponent(project)}/imports?format=${encodeURIComponent(values.format)}`;
  const response = await callService('POST', path, {
    body: createReadStream(file),
    headers: { 'content-type': typeOf(file), 'content-length': String(size) },
  });
  let report = await response.json();
  const at = `/api/projects/${report.projectId}/imports/${report.id}`;
  while (report.finishedAt === null) {
    showProgress(report);
    await sleep(LOOK_MS);
    report = await (await callService('GET', at)).json();
  }
  showProgress(report);
  if (process.stderr.isTTY) process.stderr.write('\n');
  console.log(values.json ? JSON.stringify(report) : sentencesOf(report).join('\n'));
  return report.state === 'completed' ? 0 : EXIT_FAILED;
});

/** The service reads the file by its format, and only an archive must be named. */
function typeOf(file) {
  return file.endsWith('.tar') ? 'application/x-tar' : 'application/x-ndjson';
}

/** On a terminal one line that changes; elsewhere nothing, because a log would have a line for each look. */
function showProgress({ state, done, total }) {
  if (!process.stderr.isTTY) return;
  const part = total ? done / total : 0;
  const bar = '#'.repeat(Math.round(part * 30)).padEnd(30, '.');
  process.stderr.write(`\r[${bar}] ${total === null ? state : `${done} of ${total}`}   `);
}

function sentencesOf({ state, failure, created, updated, skipped, errors, ignored }) {
  const lines = errors
    .slice(0, MOST_SHOWN)
    .map(({ line, message }) => (line === 0 ? message : `line ${line}: ${message}`));
  const more = errors.length - lines.length;
  return [
    `The import is ${state}${failure ? `: ${failure}` : '.'} Created ${created}, updated ${updated}, left out ${skipped}.`,
    ...Object.entries(ignored).map(([what, count]) => `No place for: ${what} (${count} times)`),
    ...lines,
    ...(more > 0 ? [`${more} lines more; --json prints them.`] : []),
  ];
}
