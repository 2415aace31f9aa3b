import { readdirSync, readFileSync } from 'node:fs';

/** Returns the commands of the processes whose environment or command names a folder. */
export const processesIn = (folder: string): string[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .flatMap((pid) => {
      try {
        const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ');
        const environment = readFileSync(`/proc/${pid}/environ`, 'utf8');
        return `${environment} ${command}`.includes(folder) ? [command] : [];
      } catch {
        // It has ended, or belongs to another user.
        return [];
      }
    });
