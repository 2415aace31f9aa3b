import { describe, expect, it } from '@jest/globals';
import { type FilteredArchitecture, systemCallFilter, systemCallsOf } from './system-call-filter.js';

const ALLOW = 0x7fff0000;
const EPERM = 0x00050001;
const AUDIT = { x64: 0xc000003e, arm64: 0xc00000b7 };

/** Executes the program as the kernel does: on one system call with its arguments. */
function verdict(
  architecture: FilteredArchitecture,
  audit: number,
  number: number,
  ...given: number[]
): number {
  const program = systemCallFilter(architecture, true)!;
  const words: Record<number, number> = { 0: number, 4: audit };
  for (const [at, value] of given.entries()) words[16 + 8 * at] = value;
  let [at, word] = [0, 0];
  for (;;) {
    const [code, value] = [program.readUInt16LE(at * 8), program.readUInt32LE(at * 8 + 4)];
    const skip = (holds: boolean) => program.readUInt8(at * 8 + (holds ? 2 : 3)) + 1;
    if (code === 0x06) return value;
    if (code === 0x20) [word, at] = [(words[value] ?? 0) >>> 0, at + 1];
    else if (code === 0x15) at += skip(word === value);
    else if (code === 0x35) at += skip(word >= value);
    else if (code === 0x45) at += skip((word & value) !== 0);
    else throw new Error(`Unknown instruction ${code}.`);
  }
}

describe.each(['x64', 'arm64'] as const)('the filter of system calls for %s', (architecture) => {
  const calls = systemCallsOf(architecture);
  const judge = (number: number, ...given: number[]) =>
    verdict(architecture, AUDIT[architecture], number, ...given);

  it('refuses each call of its list and none of its neighbours', () => {
    expect(calls.denied.map((number) => judge(number))).toEqual(calls.denied.map(() => EPERM));
    const examined = [calls.clone3, calls.personality, ...calls.sockets];
    const others = Array.from({ length: 500 }, (_, number) => number).filter(
      (number) => !calls.denied.includes(number) && !examined.includes(number),
    );
    expect(others.filter((number) => judge(number) !== ALLOW)).toEqual([]);
    expect(new Set(calls.denied).size).toBe(calls.denied.length);
  });

  it('ends a process that uses the interface of another architecture', () => {
    const other = AUDIT[architecture === 'x64' ? 'arm64' : 'x64'];
    expect(verdict(architecture, other, 1)).toBe(0x80000000);
    expect(verdict(architecture, 0x40000003, 20)).toBe(0x80000000);
  });

  it('lets a process start threads and processes, and no namespaces', () => {
    expect(judge(calls.clone, 0x003d0f00)).toBe(ALLOW);
    expect(judge(calls.clone, 17)).toBe(ALLOW);
    for (const flag of [0x20000, 0x02000000, 0x04000000, 0x08000000, 0x10000000, 0x20000000, 0x40000000])
      expect(judge(calls.clone, flag + 17)).toBe(EPERM);
    expect(judge(calls.clone3)).toBe(0x00050026);
  });

  it('permits sockets of the usual families only', () => {
    for (const number of calls.sockets) {
      expect([1, 2, 10, 16].map((family) => judge(number, family))).toEqual(Array(4).fill(ALLOW));
      expect([0, 3, 17, 38, 40, 44].map((family) => judge(number, family))).toEqual(
        Array(6).fill(0x00050061),
      );
    }
  });

  it('permits the usual execution domains, and no writing into a terminal', () => {
    expect(judge(calls.personality, 0xffffffff)).toBe(ALLOW);
    expect(judge(calls.personality, 0x0040000)).toBe(EPERM);
    expect(judge(calls.ioctl, 0, 0x5401)).toBe(ALLOW);
    expect(judge(calls.ioctl, 0, 0x5412)).toBe(EPERM);
    expect(judge(calls.ioctl, 0, 0x541c)).toBe(EPERM);
  });
});

describe('a host without filters', () => {
  it('gets none, and neither does an unknown architecture', () => {
    expect(systemCallFilter('x64', false)).toBe(null);
    expect(systemCallFilter('riscv64', true)).toBe(null);
  });

  it('does not know the x32 interface of x64', () => {
    expect(verdict('x64', AUDIT.x64, 0x40000000 + 39)).toBe(0x00050026);
  });
});
