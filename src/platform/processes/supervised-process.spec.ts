import { ChildProcess } from 'node:child_process';
import { describe, expect, it } from '@jest/globals';
import { endOf } from './supervised-process.js';

/** A process that was started, or one that could not be. */
const scripted = (pid?: number): ChildProcess => Object.assign(new ChildProcess(), { pid });

describe('the end of a process', () => {
  it('is its exit, and no message before it that could not be delivered', async () => {
    const process = scripted(7);
    const end = endOf(process);
    process.emit('error', new Error('write EPIPE'));
    process.emit('exit', null, 'SIGKILL');
    expect(await end).toEqual({ code: null, how: 'ended with SIGKILL' });
  });

  it('has the code with which it ended by itself', async () => {
    const process = scripted(7);
    const end = endOf(process);
    process.emit('exit', 78, null);
    expect(await end).toEqual({ code: 78, how: 'ended with code 78' });
  });

  it('is the error of a start that failed', async () => {
    const process = scripted();
    const end = endOf(process);
    process.emit('error', new Error('spawn EMFILE'));
    expect(await end).toEqual({ code: null, how: 'could not be started (spawn EMFILE)' });
  });
});
