// Preloaded into a process (`node --import`): a request whose header x-planted says rejection or exception makes the
// process meet one that no code handles, one that says warning a warning as Node and libraries emit it, one that says print what libraries print, and busy keeps it busy for a second. With
// PLANTED_EARLY a process meets an exception as soon as it listens to them, which is long before it takes requests.
import { subscribe } from 'node:diagnostics_channel';

subscribe('http.server.request.start', ({ request }) => {
  const planted = request.headers['x-planted'];
  if (planted === 'rejection') void Promise.reject(new Error('planted rejection'));
  if (planted === 'busy') for (const end = Date.now() + 1_000; Date.now() < end;);
  if (planted === 'warning') process.emitWarning('planted warning');
  if (planted === 'print') {
    console.error('planted print %d', 1);
    console.trace(new Error('planted trace'));
  }
  if (planted === 'exception')
    setImmediate(() => {
      throw new Error('planted exception');
    });
});

if (process.env.PLANTED_EARLY)
  process.on('newListener', (event) => {
    if (event !== 'uncaughtException') return;
    setImmediate(() => {
      throw new Error('planted early');
    });
  });
