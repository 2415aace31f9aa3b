// `npm start`: from a fresh clone to a running service. The service runs in this very process, so that signals
// reach it without a go-between.
import { ensureBuilt, ensureInstalled } from './ensure-ready.mjs';

await ensureInstalled();
await ensureBuilt();
await import('../dist/src/main.js');
