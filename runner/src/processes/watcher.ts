import { killMarked } from './process-table.js';

// A process beside the runner. Its standard input is a pipe from the runner, which the kernel closes however the runner
// ends, kill -9 included. Then it kills all processes of that runner.
const mark = process.argv[2];
if (mark === undefined || mark === '') process.exit(2);
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined);
process.stdin.resume().once('end', () => void killMarked(mark).then(() => process.exit(0)));
