import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram, ifAvailable } from './host-programs.js';
import { systemCallFilter } from './system-call-filter.js';

/** The descriptor by which the filter reaches the program that installs it; shells know one digit. */
export const FILTER_DESCRIPTOR = 9;

/** The number of prctl(2). */
const PRCTL: Partial<Record<string, number>> = { x64: 157, arm64: 167 };

/**
 * Reads the filter from its descriptor, installs it (PR_SET_SECCOMP, SECCOMP_MODE_FILTER) and executes the rest of the
 * arguments. util-linux installs filters from 2.42 on only.
 */
const IN_PERL = `open(my $in, "<&=", ${FILTER_DESCRIPTOR}) or die "$!\\n"; binmode $in; local $/; my $filter = <$in>; close $in;
syscall(${PRCTL[process.arch]}, 22, 2, pack("Sx6P", length($filter) / 8, $filter)) == 0 or die "The filter of system calls: $!\\n";
exec { $ARGV[0] } @ARGV or die "$!\\n"`;
const IN_PYTHON = `import ctypes, os, struct, sys
with os.fdopen(${FILTER_DESCRIPTOR}, "rb") as source: text = source.read()
code = ctypes.create_string_buffer(text, len(text))
if ctypes.CDLL(None).prctl(22, 2, struct.pack("H6xQ", len(text) // 8, ctypes.addressof(code))) != 0: sys.exit("The filter of system calls was refused.")
os.execv(sys.argv[1], sys.argv[1:])`;

/** Writes the filter for one start into a folder and returns its path; null where this host has none. */
export async function writeFilter(folder: string): Promise<string | null> {
  const filter = systemCallFilter();
  if (filter === null) return null;
  const path = join(folder, 'system-calls');
  await writeFile(path, filter, { mode: 0o600 });
  return path;
}

/**
 * Returns what opens the filter for bubblewrap (a shell, whose own variables must not reach the first process inside), and the option by which bubblewrap installs it right before the
 * server.
 */
export function bubblewrapFilter(path: string | null): { before: string[]; options: string[] } {
  if (path === null) return { before: [], options: [] };
  const shell = findProgram('sh') ?? '/bin/sh';
  return {
    before: [shell, '-c', `unset PWD OLDPWD SHLVL; exec "$@" ${FILTER_DESCRIPTOR}<"$0"`, path],
    options: ['--seccomp', String(FILTER_DESCRIPTOR)],
  };
}

/** Returns the program that installs the filter inside a namespace; nothing on a host with neither Perl nor Python. */
export function namespaceFilter(path: string | null): string[] {
  if (path === null) return [];
  const perl = ifAvailable('perl', '-e', IN_PERL, '--');
  return perl.length > 0 ? perl : ifAvailable('python3', '-I', '-S', '-c', IN_PYTHON);
}
