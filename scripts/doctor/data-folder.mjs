import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import {
  folderError,
  refuseNestedFolder,
  refuseUnfinishedRestore,
} from '../../dist/src/platform/start/data-folder.js';
import { StartError } from '../../dist/src/platform/exit/exit-codes.js';
import { note, ok, problem } from './verdict.mjs';

const LEAST_FREE_MB = 500;
const GOOD_FREE_MB = 5_000;

/** Checks the folder, or the nearest one above it that exists, because the first start creates the rest. */
export async function checkDataFolder({ dataDir, databaseUrl }) {
  const place = await nearest(dataDir);
  try {
    await refuseUnusable(place, dataDir);
    await refuseUnfinishedRestore(dataDir);
    if (databaseUrl === null) await refuseNestedFolder(dataDir);
  } catch (error) {
    if (!(error instanceof StartError)) throw error;
    return problem(error.problem, error.remedy);
  }
  return place === dataDir ? judge(dataDir) : ok(`${dataDir}, created by the first start`);
}

async function refuseUnusable(place, dataDir) {
  // First, because a file can be refused for a missing right to enter it, even to root.
  if (!(await stat(place)).isDirectory()) throw folderError(dataDir, { code: 'ENOTDIR' });
  try {
    await access(place, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    throw folderError(dataDir, error);
  }
}

async function judge(dataDir) {
  const { mode, uid } = await stat(dataDir);
  const self = process.geteuid();
  if (self !== 0 && uid !== self)
    return problem(
      `${dataDir} belongs to another user, uid ${uid}`,
      `give it to the user of the service, uid ${self}`,
    );
  if (mode & 0o022) return problem(`other users can write to ${dataDir}`, `run chmod 700 ${dataDir}`);
  return ok(dataDir);
}

export async function checkSpace({ dataDir }) {
  const { bavail, bsize } = await statfs(await nearest(dataDir));
  const free = Math.floor((bavail * bsize) / 1_048_576);
  const fix = `free space on the disk of ${dataDir}`;
  if (free < LEAST_FREE_MB) return problem(`${free} MB are free`, fix);
  return free < GOOD_FREE_MB ? note(`${free} MB are free`, fix) : ok(`${free} MB are free`);
}

async function nearest(folder) {
  try {
    await stat(folder);
    return folder;
  } catch (error) {
    return error.code === 'ENOENT' && dirname(folder) !== folder ? nearest(dirname(folder)) : folder;
  }
}
