// Preloaded into a process (`node --import`): a request whose header x-planted says rejection or exception makes the
// process meet one that no code handles.
import { subscribe } from 'node:diagnostics_channel';

subscribe('http.server.request.start', ({ request }) => {
  const planted = request.headers['x-planted'];
  if (planted === 'rejection') void Promise.reject(new Error('planted rejection'));
  if (planted === 'exception')
    setImmediate(() => {
      throw new Error('planted exception');
    });
});
