// Preloaded into services that tests start, so that they end when the test run is killed. Their standard input is a
// pipe whose other end only that run holds.
process.stdin.on('end', () => process.kill(process.pid, 'SIGKILL')).resume();
process.stdin.on('error', () => process.kill(process.pid, 'SIGKILL'));
process.stdin.unref();
