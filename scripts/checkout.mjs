import { existsSync } from 'node:fs';
import { inRoot } from './paths.mjs';

/** Whether the sources are here. A package and an image have the build alone. */
export const isCheckout = existsSync(inRoot('src'));

/**
 * Installs and builds in a checkout what the service and its commands need, where that is due; with `all` also what tests and
 * checks need.
 */
export async function prepareCheckout({ all = false } = {}) {
  if (!isCheckout) return;
  const { ensureBuilt, ensureInstalled } = await import('./ensure-ready.mjs');
  const { FOR_ALL, FOR_START } = await import('./install.mjs');
  await ensureInstalled(all ? FOR_ALL : FOR_START);
  await ensureBuilt();
}
