# Attempts system calls that a filter should refuse, each in a process of its own, and prints the outcomes as JSON: the
# name of the error, `done`, or `killed by N`. The arguments are such that most fail in another way, or succeed, where
# no filter refuses them. Numbers are those of x86_64.
import ctypes, errno, json, mmap, os, socket

libc = ctypes.CDLL(None, use_errno=True)
page = ctypes.create_string_buffer(64)

class Iovec(ctypes.Structure):
    _fields_ = [("base", ctypes.c_void_p), ("length", ctypes.c_size_t)]

own = Iovec(ctypes.addressof(page), 8)
NEW_USER, SIGCHLD = 0x10000000, 17
CALLS = {
    "ptrace": (101, 0, 0, 0, 0),
    "process_vm_readv": (310, 0, ctypes.byref(own), 1, ctypes.byref(own), 1, 0),
    "kcmp": (312, 0, 0, 0, 0, 0),
    "pidfd_getfd": (438, -1, 0, 0),
    "keyctl": (250, 0, -3, 1),
    "add_key": (248, None, None, None, 0, 0),
    "request_key": (249, None, None, None, 0),
    "bpf": (321, 7, None, 0),
    "perf_event_open": (298, None, 0, -1, -1, 0),
    "userfaultfd": (323, 1),
    "io_uring_setup": (425, 0, None),
    "unshare": (272, NEW_USER),
    "setns": (308, -1, 0),
    "mount": (165, None, None, None, 0, None),
    "umount2": (166, None, 0xffff),
    "open_tree": (428, -1, None, 0),
    "mount_setattr": (442, -1, None, 0xffff, None, 0),
    "move_mount": (429, -1, None, -1, None, 0),
    "fsopen": (430, None, 0),
    "pivot_root": (155, None, None),
    "chroot": (161, None),
    "name_to_handle_at": (303, -1, None, None, None, 0),
    "open_by_handle_at": (304, -1, None, 0),
    "kexec_load": (246, 0, 0, None, 0),
    "init_module": (175, None, 0, None),
    "finit_module": (313, -1, None, 0),
    "delete_module": (176, None, 0),
    "swapon": (167, None, 0),
    "reboot": (169, 0, 0, 0, None),
    "syslog": (103, 10, None, 0),
    "acct": (163, None),
    "settimeofday": (164, None, None),
    "sethostname": (170, None, 0xffff),
    "iopl": (172, 0),
    "get_mempolicy": (239, None, None, 0, None, 0),
    "personality": (135, 0x0040000),
    "push into a terminal": (16, 0, 0x5412, page),
    "clone with a namespace": (56, NEW_USER | SIGCHLD, 0, 0, 0, 0),
    "clone3": (435, None, 0),
    "a 64-bit call by its x32 number": (0x40000000 + 39,),
    "socket of the hypervisor": (41, 40, 1, 0),
    "socket of the kernel's ciphers": (41, 38, 5, 0),
    "pair of packet sockets": (53, 17, 3, 0, page),
    # Calls that every program may make, as a control.
    "getpid": (39,),
    "fork": (56, SIGCHLD, 0, 0, 0, 0),
    "question for the personality": (135, 0xffffffff),
    "socket of the network": (41, socket.AF_INET, socket.SOCK_STREAM, 0),
    "socket of netlink": (41, socket.AF_NETLINK, socket.SOCK_RAW, 0),
}

def call(number, *given):
    starter = os.getpid()
    if libc.syscall(number, *given) >= 0:
        # A clone makes a second process, which reports nothing.
        if os.getpid() != starter: os._exit(0)
        return "done"
    return errno.errorcode[ctypes.get_errno()]

def call_of_32_bits():
    code = mmap.mmap(-1, 4096, prot=mmap.PROT_READ | mmap.PROT_WRITE | mmap.PROT_EXEC)
    code.write(b"\xb8\x14\x00\x00\x00\xcd\x80\xc3")  # mov eax, 20 (getpid); int 0x80; ret
    function = ctypes.CFUNCTYPE(ctypes.c_int)(ctypes.addressof(ctypes.c_char.from_buffer(code)))
    return "done" if function() > 0 else "refused"

def alone(attempt):
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.write(writing, attempt().encode())
        os._exit(0)
    os.close(writing)
    said = os.read(reading, 100).decode()
    status = os.waitpid(child, 0)[1]
    os.close(reading)
    return f"killed by {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else said

outcomes = {name: alone(lambda: call(*given)) for name, given in CALLS.items()}
print(json.dumps({**outcomes, "a call of 32 bits": alone(call_of_32_bits)}))
