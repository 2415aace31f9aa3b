import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram, ifAvailable } from './host-programs.js';
import { type FilteredArchitecture, systemCallsOf } from './system-calls.js';

/** Where the kernel lists what a filter may do; it is missing where the kernel knows no filters. */
const KERNEL_KNOWS_FILTERS = '/proc/sys/kernel/seccomp/actions_avail';

/** AUDIT_ARCH_X86_64 and AUDIT_ARCH_AARCH64, by which the kernel names the architecture of a system call. */
const ARCHITECTURES: Record<FilteredArchitecture, number> = { x64: 0xc000003e, arm64: 0xc00000b7 };

/** Offsets in the kernel's `seccomp_data`; of an argument, its lower half. */
const NUMBER = 0;
const ARCHITECTURE = 4;
const argument = (index: number): number => 16 + 8 * index;

/** Instructions of classic BPF: load a word, compare and skip, return. */
const LOAD = 0x20;
const EQUALS = 0x15;
const AT_LEAST = 0x35;
const HAS_BITS = 0x45;
const RETURN = 0x06;

const ALLOW = 0x7fff0000;
const KILL = 0x80000000;
const failWith = (errno: number): number => 0x00050000 + errno;
const EPERM = failWith(1);
const ENOSYS = failWith(38);
const EAFNOSUPPORT = failWith(97);

/** The numbers of the x32 interface begin here: the same calls again by other numbers. */
const X32 = 0x40000000;
/** CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID and NEWNET. */
const NEW_NAMESPACES = 0x7e020000;
/** AF_UNIX, AF_INET, AF_INET6 and AF_NETLINK. Of the others, AF_VSOCK leaves a network namespace. */
const SOCKET_FAMILIES = [1, 2, 10, 16];
/** Execution domains of Linux itself, and the question for the present one. */
const PERSONALITIES = [0, 8, 0x20000, 0x20008, 0xffffffff];
/** TIOCSTI and TIOCLINUX write into a terminal as if a person typed. */
const TERMINAL_WRITES = [0x5412, 0x541c];

interface Instruction {
  code: number;
  value: number;
  /** How many instructions are skipped where the comparison holds, and where it does not. */
  skip?: readonly [number, number];
}

/**
 * Returns the filter of system calls for servers, a program in classic BPF (seccomp(2)); null where the kernel has no
 * filters, or where the numbers of this architecture are not known. The interface of another architecture (32-bit
 * programs on x64) ends the process, because its numbers are other ones. clone3 does not exist for a server, because a
 * filter cannot read its flags; C libraries then use clone (decision 0036).
 */
export function systemCallFilter(
  architecture: string = process.arch,
  kernelKnowsFilters = existsSync(KERNEL_KNOWS_FILTERS),
): Buffer | null {
  if (!kernelKnowsFilters || (architecture !== 'x64' && architecture !== 'arm64')) return null;
  const calls = systemCallsOf(architecture);
  return assembled([
    load(ARCHITECTURE),
    ...unlessEqual(ARCHITECTURES[architecture], [give(KILL)]),
    load(NUMBER),
    ...(architecture === 'x64' ? [{ code: AT_LEAST, value: X32, skip: [0, 1] as const }, give(ENOSYS)] : []),
    ...calls.denied.flatMap((number) => whenEqual(number, [give(EPERM)])),
    ...whenEqual(calls.clone3, [give(ENOSYS)]),
    ...whenEqual(calls.clone, [
      load(argument(0)),
      { code: HAS_BITS, value: NEW_NAMESPACES, skip: [0, 1] },
      give(EPERM),
      give(ALLOW),
    ]),
    ...calls.sockets.flatMap((number) => whenEqual(number, onlyValues(0, SOCKET_FAMILIES, EAFNOSUPPORT))),
    ...whenEqual(calls.personality, onlyValues(0, PERSONALITIES, EPERM)),
    ...whenEqual(calls.ioctl, [
      load(argument(1)),
      ...TERMINAL_WRITES.flatMap((value) => whenEqual(value, [give(EPERM)])),
      give(ALLOW),
    ]),
    give(ALLOW),
  ]);
}

const load = (offset: number): Instruction => ({ code: LOAD, value: offset });
const give = (action: number): Instruction => ({ code: RETURN, value: action });

function whenEqual(value: number, then: Instruction[]): Instruction[] {
  return [{ code: EQUALS, value, skip: [0, then.length] }, ...then];
}

function unlessEqual(value: number, then: Instruction[]): Instruction[] {
  return [{ code: EQUALS, value, skip: [then.length, 0] }, ...then];
}

function onlyValues(index: number, values: readonly number[], otherwise: number): Instruction[] {
  return [
    load(argument(index)),
    ...values.flatMap((value) => whenEqual(value, [give(ALLOW)])),
    give(otherwise),
  ];
}

/** Returns the program as the kernel reads it: 8 bytes per instruction, in the byte order of the host. */
function assembled(program: readonly Instruction[]): Buffer {
  const bytes = Buffer.alloc(program.length * 8);
  for (const [at, { code, value, skip = [0, 0] }] of program.entries()) {
    bytes.writeUInt16LE(code, at * 8);
    bytes.writeUInt8(skip[0], at * 8 + 2);
    bytes.writeUInt8(skip[1], at * 8 + 3);
    bytes.writeUInt32LE(value, at * 8 + 4);
  }
  return bytes;
}

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
