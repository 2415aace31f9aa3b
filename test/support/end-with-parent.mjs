// Preloaded into services that tests start: a test run that is killed takes its services with it. Their standard
// input is a pipe whose other end only that run holds.
process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume();
process.stdin.on('error', () => process.kill(process.pid, 'SIGKILL'));
process.stdin.unref();
