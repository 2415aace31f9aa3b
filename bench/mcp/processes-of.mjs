import { readdirSync, readFileSync } from 'node:fs';

/** The processes below `pid` that are Node with this script; those that only start it, a sandbox, are not. */
export function processesOf(pid, script) {
  const parents = new Map(pids().map((child) => [child, parentOf(child)]));
  return [...parents.keys()]
    .filter((child) => comesFrom(child, pid, parents) && runs(child, script))
    .map(asProcess);
}

function asProcess(pid) {
  return { pid, kill: () => process.kill(pid, 'SIGKILL') };
}

function comesFrom(child, ancestor, parents) {
  for (let at = parents.get(child); at; at = parents.get(at)) if (at === ancestor) return true;
  return false;
}

function runs(pid, script) {
  const [command = '', first] = read(pid, 'cmdline').split('\0');
  return /(^|\/)node$/.test(command) && first === script;
}

function parentOf(pid) {
  const [, parent] = read(pid, 'stat')
    .replace(/^.*\) /s, '')
    .split(' ');
  return Number(parent);
}

function pids() {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number);
}

function read(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'utf8');
  } catch {
    return '';
  }
}
