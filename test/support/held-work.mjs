#!/usr/bin/env node
// Work for the worker of docs/api-guide.md: `node held-work.mjs FOLDER` reads a brief and writes one line to FOLDER/log when
// it begins and one when it ends. Work whose brief says "held" ends once the file of the key is in FOLDER.
import { appendFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

const folder = process.argv[2];
const brief = await text(process.stdin);
const key = /^# (\S+): /.exec(brief)[1];
const note = (...words) => appendFileSync(join(folder, 'log'), `${words.join(' ')}\n`);
const mark = join(folder, `${key}.pid`);

/** Whether the former process of this issue still runs: two would do the same work. A zombie does nothing. */
function isDoubled() {
  try {
    return !readFileSync(`/proc/${readFileSync(mark, 'utf8')}/stat`, 'utf8').includes(') Z ');
  } catch {
    return false;
  }
}

if (isDoubled()) note('doubled', key);
writeFileSync(mark, String(process.pid));
note('begin', key, process.env.AWP_WORKER);
while (brief.includes('held') && !existsSync(join(folder, key))) await sleep(20);
note('end', key, process.env.AWP_WORKER);
console.log(`The work on ${key} is done.`);
