// `npm run export -- PROJECT [FILE]` writes a project of a service that runs into a file, with `--attachments` a tar with their bytes.
import { createWriteStream } from 'node:fs';
import { rename, rm } from 'node:fs/promises';
import process from 'node:process';
import { pipeline } from 'node:stream/promises';
import { parseArgs } from 'node:util';
import { usageOf } from './commands.mjs';
import { callService, EXIT_USAGE, runClient } from './import/client.mjs';

const OPTIONS = { attachments: { type: 'boolean', default: false } };

/** Counts lines and keeps the end: an export that is whole ends with the kind `end`, and an archive with `end.json`. */
class Counted {
  lines = 0;
  bytes = 0;
  #last = '';

  async *watch(bytes) {
    for await (const chunk of bytes) {
      const text = chunk.toString('latin1');
      this.lines += text.split('\n').length - 1;
      this.bytes += chunk.length;
      this.#last = (this.#last + text).slice(-4_096);
      if (process.stderr.isTTY) process.stderr.write(`\r${this.bytes} bytes `);
      yield chunk;
    }
    if (process.stderr.isTTY) process.stderr.write('\n');
  }

  get isWholeArchive() {
    return this.#last.includes('end.json\0');
  }

  get isWhole() {
    return this.#last.trimEnd().split('\n').at(-1).startsWith('{"kind":"end"');
  }
}

process.exitCode = await runClient(usageOf('export'), async () => {
  const {
    values: { attachments },
    positionals,
  } = parseArgs({ options: OPTIONS, allowPositionals: true });
  const [project, file = `${project}.${attachments ? 'tar' : 'ndjson'}`] = positionals;
  if (positionals.length < 1 || positionals.length > 2) return EXIT_USAGE;
  const response = await callService(
    'GET',
    `/api/projects/${encodeURIComponent(project)}/export?attachments=${attachments}`,
  );
  const part = `${file}.part`;
  const counted = new Counted();
  try {
    await pipeline(
      response,
      (bytes) => counted.watch(bytes),
      createWriteStream(part, { flags: 'wx', mode: 0o600 }),
    );
    if (attachments ? !counted.isWholeArchive : !counted.isWhole)
      throw new Error('The service ended the export before its last line; try again.');
    await rename(part, file);
  } catch (error) {
    await rm(part, { force: true });
    throw error;
  }
  console.log(`Wrote ${attachments ? `${counted.bytes} bytes` : `${counted.lines} lines`} to ${file}.`);
  return 0;
});
