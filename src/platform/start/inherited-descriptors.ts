import { closeSync, readdirSync, readFileSync } from 'node:fs';

const CLOSE_ON_EXEC = 0o2000000;

/**
 * Closes the descriptors that this process inherited besides its standard streams, such as a file or pipe that the shell of
 * the operator had open. Children would inherit them too, and so would MCP servers. Node marks inherited descriptors to be
 * closed in children, but stops at the first gap above 15. What Node and libraries open themselves has the mark.
 */
export function closeInheritedDescriptors(): void {
  for (const descriptor of openDescriptors())
    if (descriptor > 2 && isInheritable(descriptor)) close(descriptor);
}

function openDescriptors(): number[] {
  try {
    return readdirSync('/proc/self/fd').map(Number);
  } catch {
    // Without /proc (outside Linux) they cannot be listed.
    return [];
  }
}

function isInheritable(descriptor: number): boolean {
  try {
    const [, flags = ''] =
      /^flags:\s*(\d+)/m.exec(readFileSync(`/proc/self/fdinfo/${descriptor}`, 'latin1')) ?? [];
    return flags !== '' && (Number.parseInt(flags, 8) & CLOSE_ON_EXEC) === 0;
  } catch {
    // It was the descriptor of the listing itself.
    return false;
  }
}

function close(descriptor: number): void {
  try {
    closeSync(descriptor);
  } catch {
    // An error of the last write to it concerns who opened it.
  }
}
