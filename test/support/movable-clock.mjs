// Preloaded into a process (`node --import .../movable-clock.mjs?file=PATH`): its wall clock is ahead by as many
// milliseconds as the file says, which a test may change at any time. The monotonic clock goes on as it is.
import { readFileSync } from 'node:fs';

const FILE = new URL(import.meta.url).searchParams.get('file');
const EVERY_MS = 50;
const RealDate = Date;
let ahead = 0;
function read() {
  try {
    ahead = Number(readFileSync(FILE, 'utf8'));
  } catch {
    ahead = 0; // There is no file until the clock is moved.
  }
}
read();
setInterval(read, EVERY_MS).unref();

globalThis.Date = class extends RealDate {
  constructor(...args) {
    super(...(args.length > 0 ? args : [RealDate.now() + ahead]));
  }

  static now() {
    return RealDate.now() + ahead;
  }
};
