import { access, constants, readdir, stat, statfs } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  folderError,
  refuseNestedFolder,
  refuseUnfinishedRestore,
} from '../../dist/src/platform/start/data-folder-clock-and-descriptor-checks.js';
import { StartError } from '../../dist/src/platform/exit/exit-codes.js';
import { note, ok, problem } from './verdict.mjs';

const LEAST_FREE_MB = 500;
const GOOD_FREE_MB = 5_000;
/** One package of an MCP server alone may have thousands of files. */
const LEAST_FREE_FILES = 10_000;

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
  try {
    // First, because a file can be refused for a missing right to enter it, even to root.
    if (!(await stat(place)).isDirectory()) throw ofSystem('ENOTDIR');
    await access(place, constants.R_OK | constants.W_OK | constants.X_OK);
    // Such as /proc, which has room for nothing and admits no new folder.
    if ((await statfs(place)).blocks === 0) throw ofSystem('ENOENT');
  } catch (error) {
    throw folderError(dataDir, error);
  }
}

const ofSystem = (code) => Object.assign(new Error(code), { code });

async function judge(dataDir) {
  const { mode, uid } = await stat(dataDir);
  const self = process.geteuid();
  if (self === 0 && uid !== 0)
    return note(
      `${dataDir} belongs to uid ${uid}, and this is root: what the service may read and write is not checked`,
      `run it as uid ${uid}; docs/operations.md, "Commands with the settings of the service", says how`,
    );
  const foreign = self === 0 ? null : await foreignIn(dataDir, self);
  if (foreign)
    return problem(
      `${foreign.path} belongs to another user, uid ${foreign.uid}`,
      `run chown -R ${self} ${dataDir} as root, which gives it to the user of the service`,
    );
  if (mode & 0o022) return problem(`other users can write to ${dataDir}`, `run chmod 700 ${dataDir}`);
  return ok(dataDir);
}

/** Returns the folder, or what lies directly in it, where it belongs to another user: a command that was run as root leaves that. */
async function foreignIn(dataDir, self) {
  const names = (await readdir(dataDir)).filter((name) => name !== 'lost+found');
  for (const path of [dataDir, ...names.map((name) => join(dataDir, name))]) {
    const { uid } = await statOrSelf(path, self);
    if (uid !== self) return { path, uid };
  }
  return null;
}

/** A file of the running service may be gone by now. */
async function statOrSelf(path, self) {
  try {
    return await stat(path);
  } catch (error) {
    if (error.code === 'ENOENT') return { uid: self };
    throw error;
  }
}

export async function checkSpace({ dataDir }) {
  const space = await spaceOf(await nearest(dataDir));
  if (space === null)
    return note('not checked, because the data folder cannot be used', 'fix the data folder first');
  const { bavail, bsize, files, ffree } = space;
  const free = Math.floor((bavail * bsize) / 1_048_576);
  const fix = `free space on the disk of ${dataDir}, or enlarge it`;
  if (free < LEAST_FREE_MB) return problem(`${free} MB are free`, fix);
  // Some file systems make the entries of files as they need them, and report none.
  if (files > 0 && ffree < LEAST_FREE_FILES)
    return problem(
      `${free} MB are free, but only ${ffree} more files fit (inodes)`,
      `remove files from the disk of ${dataDir}, or move the folder to a disk with more inodes`,
    );
  return free < GOOD_FREE_MB ? note(`${free} MB are free`, fix) : ok(`${free} MB are free`);
}

/** Returns null where the check of the folder says why there is none. */
async function spaceOf(place) {
  try {
    const space = await statfs(place);
    return space.blocks === 0 ? null : space;
  } catch {
    return null;
  }
}

async function nearest(folder) {
  try {
    await stat(folder);
    return folder;
  } catch (error) {
    return error.code === 'ENOENT' && dirname(folder) !== folder ? nearest(dirname(folder)) : folder;
  }
}
