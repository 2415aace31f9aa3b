// `npm run export -- PROJECT [FILE]` writes a project of a service that runs into a file.
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import process from 'node:process';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { usageOf } from './commands.mjs';
import { callService, EXIT_USAGE, runClient } from './import/client.mjs';

/** Counts lines, and keeps the last one: an export that is whole ends with the kind `end`. */
class Counted {
  lines = 0;
  #last = '';

  async *watch(bytes) {
    for await (const chunk of bytes) {
      const text = chunk.toString('latin1');
      this.lines += text.split('\n').length - 1;
      this.#last = (this.#last + text).slice(-1_000);
      if (process.stderr.isTTY) process.stderr.write(`\r${this.lines} lines `);
      yield chunk;
    }
    if (process.stderr.isTTY) process.stderr.write('\n');
  }

  get isWhole() {
    return this.#last.trimEnd().split('\n').at(-1).startsWith('{"kind":"end"');
  }
}

process.exitCode = await runClient(usageOf('export'), async () => {
  const { positionals } = parseArgs({ options: {}, allowPositionals: true });
  const [project, file = `${project}.ndjson`] = positionals;
  if (positionals.length < 1 || positionals.length > 2) return EXIT_USAGE;
  const response = await callService('GET', `/api/projects/${encodeURIComponent(project)}/export`);
  const part = `${file}.part`;
  const counted = new Counted();
  try {
    await pipeline(
      response,
      (bytes) => counted.watch(bytes),
      createWriteStream(part, { flags: 'wx', mode: 0o600 }),
    );
    if (!counted.isWhole) throw new Error('The service ended the export before its last line; try again.');
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  console.log(`Wrote ${counted.lines} lines to ${file}.`);
  return 0;
});
