import { readFile } from 'node:fs/promises';
import { totalmem } from 'node:os';
import { note, ok } from './verdict.mjs';

const MB = 1_048_576;
/** Below it the limits in bytes do not suit (docs/operations.md, "Limits in bytes and numbers"). */
const LEAST_MB = 512;
/** Of the service itself: its files, its connections to the database, and pipes of its servers. */
const FILES_BESIDE = 512;
const FILES_PER_SERVER = 8;

/** Compares what the host, or the control group and the limits of this process, allow with what the settings let the service use. */
export async function checkLimits(settings) {
  const { memory, files } = { memory: memoryMb(), files: await openFiles() };
  const wanted = settings.limits.connectionsMax + FILES_BESIDE + FILES_PER_SERVER * settings.mcpMaxProcesses;
  if (memory < LEAST_MB)
    return note(
      `${memory} MB of memory`,
      `allow at least ${LEAST_MB} MB, or lower UNREAD_MAX_BYTES, ANSWER_MAX_BYTES and CONNECTIONS_MAX`,
    );
  if (settings.duties.servers && settings.mcpProcessMemoryMb > memory)
    return note(
      `one MCP server may use ${settings.mcpProcessMemoryMb} MB, and there are ${memory} MB of memory`,
      'lower MCP_PROCESS_MEMORY_MB, or give this host more memory',
    );
  if (files < wanted)
    return note(
      `${files} files may be open at once, and the settings allow ${wanted}, connections among them`,
      `raise the limit to ${wanted} (LimitNOFILE of the unit, ulimits of the container, ulimit -n), or lower CONNECTIONS_MAX`,
    );
  return ok(`${memory} MB of memory, ${Number.isFinite(files) ? files : 'any number of'} open files`);
}

/** Node reports a control group without a limit as 0, or as more than there is. */
function memoryMb() {
  const group = process.constrainedMemory();
  return Math.floor((group > 0 ? Math.min(group, totalmem()) : totalmem()) / MB);
}

/** Node has raised the soft limit to the hard one. Outside of Linux nothing is known. */
async function openFiles() {
  try {
    const [, hard] = /^Max open files +\S+ +(\S+)/m.exec(await readFile('/proc/self/limits', 'utf8'));
    return hard === 'unlimited' ? Infinity : Number(hard);
  } catch {
    return Infinity;
  }
}
