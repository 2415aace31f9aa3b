import { access, constants, stat, statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { fault, nameOf, note, ok } from './verdict.mjs';

const LEAST_FREE_MB = 500;
const GOOD_FREE_MB = 5_000;

/** The folder, or the nearest one above it that is there: the rest is made at the first start. */
export async function checkDataFolder({ dataDir }) {
  const place = await nearest(dataDir);
  const mend = `give ${place} to the user that runs the service (uid ${process.geteuid()}), or set DATA_DIR`;
  try {
    if (!(await stat(place)).isDirectory()) return fault(`${place} is no folder`, 'set DATA_DIR to a folder');
    await access(place, constants.R_OK | constants.W_OK | constants.X_OK);
  } catch (error) {
    return fault(`${place} can't be written to (${nameOf(error)})`, mend);
  }
  if (place !== dataDir) return ok(`${dataDir}, made at the first start`);
  const { mode, uid } = await stat(dataDir);
  if (process.geteuid() !== 0 && uid !== process.geteuid())
    return fault(`${dataDir} belongs to uid ${uid}`, mend);
  if (mode & 0o022) return fault(`${dataDir} can be written to by others`, `chmod 700 ${dataDir}`);
  return ok(dataDir);
}

export async function checkSpace({ dataDir }) {
  const { bavail, bsize } = await statfs(await nearest(dataDir));
  const free = Math.floor((bavail * bsize) / 1_048_576);
  const mend = `make room on the disk of ${dataDir}`;
  if (free < LEAST_FREE_MB) return fault(`${free} MB are free`, mend);
  return free < GOOD_FREE_MB ? note(`${free} MB are free`, mend) : ok(`${free} MB are free`);
}

async function nearest(folder) {
  try {
    await stat(folder);
    return folder;
  } catch (error) {
    return error.code === 'ENOENT' && dirname(folder) !== folder ? nearest(dirname(folder)) : folder;
  }
}
