import { existsSync } from 'node:fs';
import { inRoot } from './paths.mjs';

/** Whether the sources are here. A package and an image have the build alone. */
export const isCheckout = existsSync(inRoot('src'));

/** Installs and builds in a checkout what the service and its commands need, where that is due. */
export async function prepareCheckout() {
  if (!isCheckout) return;
  const { ensureBuilt, ensureInstalled } = await import('./ensure-ready.mjs');
  const { FOR_START } = await import('./install.mjs');
  await ensureInstalled(FOR_START);
  await ensureBuilt();
}
