// `npm run build`: installs the packages and builds dist, unless both are up to date.
import { ensureBuilt, ensureInstalled } from './ensure-ready.mjs';

await ensureInstalled();
await ensureBuilt();
