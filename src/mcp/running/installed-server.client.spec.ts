import { describe, expect, it } from '@jest/globals';
import type { ServerCallOptions } from '../tools-hosts/call-starts.service.js';
import type { ServedRequest } from '../tools-hosts/host-request.js';
import { CallAnswers, optionsOf, type RemoteCall, remoteCallOf } from './installed-server.client.js';

const target = { serverId: 's', scope: 'shared', revision: '3' };
const noRefusals = () => new Error();

/** The options with which a tools host makes the call that another process was asked for. */
function atHost(options: ServerCallOptions): ServerCallOptions & { asked: unknown[]; noted: unknown[] } {
  const sent = JSON.parse(JSON.stringify(remoteCallOf(target, 'tools/call', {}, options))) as RemoteCall;
  const answers = new CallAnswers(options, noRefusals);
  const asked: unknown[] = [];
  const noted: unknown[] = [];
  const request = {
    signal: new AbortController().signal,
    ask: (what: string, value: unknown) => {
      asked.push(what);
      return answers.ask(what, value, new AbortController().signal);
    },
    note: (what: string, value: unknown) => {
      noted.push(value);
      answers.note(what, value);
    },
  };
  return { ...optionsOf(sent, request as unknown as ServedRequest), asked, noted };
}

describe('a call at a tools host', () => {
  it('begins under the conditions that its caller gave, and with its limits', () => {
    const start = { lease: { agentId: 'a', issueId: 'i', token: 7 }, approvedBy: 'g' };
    const given = { start, caller: 'a', timeoutMs: 5, maxTotalMs: 9, meta: { x: 1 } };
    expect(atHost(given)).toMatchObject(given);
  });

  it('asks the right again where it could be older than the start of the server', async () => {
    let confirmed = 0;
    const decidedAt = performance.now();
    const confirm = async () => void (confirmed += 1);
    const { decision } = atHost({ decision: { decidedAt, confirm } });
    expect(decision!.decidedAt).toBeLessThan(decidedAt);
    await decision!.confirm();
    expect(confirmed).toBe(1);
  });

  it('is withdrawn with the error that its caller found', async () => {
    const withdrawn = new Error('not granted any more');
    const options = { decision: { decidedAt: 0, confirm: () => Promise.reject(withdrawn) } };
    const answers = new CallAnswers(options, noRefusals);
    await expect(answers.ask('confirm', null, new AbortController().signal)).rejects.toBe(withdrawn);
    expect(answers.withdrawn).toBe(withdrawn);
  });

  it('passes progress and questions on to its caller', async () => {
    const progress: unknown[] = [];
    const options = atHost({
      onProgress: (notice) => progress.push(notice),
      onQuestion: async (question) => ({ answered: question }),
    });
    options.onProgress!({ progress: 1 });
    expect(progress).toEqual([{ progress: 1 }]);
    const over = new AbortController().signal;
    expect(await options.onQuestion!({ q: 1 }, over)).toEqual({ answered: { q: 1 } });
  });

  it('has neither where its caller wants none', () => {
    expect(atHost({})).not.toHaveProperty('onProgress');
    expect(atHost({})).not.toHaveProperty('onQuestion');
    expect(atHost({})).not.toHaveProperty('decision');
  });
});
