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
