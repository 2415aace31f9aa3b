import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { findProgram, ifAvailable } from './host-programs.js';

/** The architectures for which the filter knows the numbers of system calls. */
export type FilteredArchitecture = 'x64' | 'arm64';

/**
 * System calls that no server needs, as Docker's default profile refuses them, with those that read or steer other
 * processes: kernel modules and other kernels, mounts and namespaces, keys of the kernel, tracing, performance counters,
 * io_uring, page faults in user space, clocks, swap, ports of the hardware. Most local exploits of Linux begin at one of
 * them. Each line is the name, the number on x64 and the number on arm64 (`-`: it does not exist there).
 */
const DENIED = `
acct 163 89
add_key 248 217
bpf 321 280
chroot 161 51
clock_adjtime 305 266
clock_settime 227 112
create_module 174 -
delete_module 176 106
fanotify_init 300 262
finit_module 313 273
fsconfig 431 431
fsmount 432 432
fsopen 430 430
fspick 433 433
get_kernel_syms 177 -
get_mempolicy 239 236
init_module 175 105
io_uring_enter 426 426
io_uring_register 427 427
io_uring_setup 425 425
ioperm 173 -
iopl 172 -
kcmp 312 272
kexec_file_load 320 294
kexec_load 246 104
keyctl 250 219
listmount 458 458
lookup_dcookie 212 18
mbind 237 235
migrate_pages 256 238
mount 165 40
mount_setattr 442 442
move_mount 429 429
move_pages 279 239
name_to_handle_at 303 264
nfsservctl 180 42
open_by_handle_at 304 265
open_tree 428 428
perf_event_open 298 241
pidfd_getfd 438 438
pivot_root 155 41
process_madvise 440 440
process_vm_readv 310 270
process_vm_writev 311 271
ptrace 101 117
query_module 178 -
quotactl 179 60
quotactl_fd 443 443
reboot 169 142
request_key 249 218
set_mempolicy 238 237
set_mempolicy_home_node 450 450
setdomainname 171 162
sethostname 170 161
setns 308 268
settimeofday 164 170
statmount 457 457
swapoff 168 225
swapon 167 224
sysfs 139 -
_sysctl 156 -
syslog 103 116
umount2 166 39
unshare 272 97
uselib 134 -
userfaultfd 323 282
ustat 136 -
vhangup 153 58`;

/** System calls whose arguments decide. */
const EXAMINED = { clone: [56, 220], clone3: [435, 435], ioctl: [16, 29], personality: [135, 92] };
const SOCKETS = [
  [41, 198],
  [53, 199],
];

/** The numbers of system calls on one architecture. */
export interface SystemCalls {
  denied: number[];
  clone: number;
  clone3: number;
  ioctl: number;
  personality: number;
  /** socket and socketpair */
  sockets: number[];
}

export function systemCallsOf(architecture: FilteredArchitecture): SystemCalls {
  const column = architecture === 'x64' ? 0 : 1;
  const rows = DENIED.trim()
    .split('\n')
    .map((line) => line.split(' ').slice(1)[column] ?? '-');
  const number = (name: keyof typeof EXAMINED): number => EXAMINED[name][column] ?? 0;
  return {
    denied: rows.filter((value) => value !== '-').map(Number),
    clone: number('clone'),
    clone3: number('clone3'),
    ioctl: number('ioctl'),
    personality: number('personality'),
    sockets: SOCKETS.map((numbers) => numbers[column] ?? 0),
  };
}

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
