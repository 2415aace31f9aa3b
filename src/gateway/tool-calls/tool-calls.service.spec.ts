import { describe, expect, it } from '@jest/globals';
import { OpenCallsService } from './tool-calls.service.js';

const never = () => new Promise<Record<string, unknown>>(() => undefined);

describe('open tool calls', () => {
  it('are all answered that their outcome is unknown', async () => {
    const calls = new OpenCallsService();
    const open = [calls.run(never()), calls.run(never())];
    calls.answerAll();
    for (const call of open)
      expect(await call).toEqual({
        isError: true,
        content: [
          {
            type: 'text',
            text: 'the service is restarting; the call may have been done; check before repeating it',
          },
        ],
      });
  });

  it('keep a result or error that came before', async () => {
    const calls = new OpenCallsService();
    const done = calls.run(Promise.resolve({ content: [] }));
    const failed = calls.run(Promise.reject(new Error('refused')));
    await expect(failed).rejects.toThrow('refused');
    calls.answerAll();
    expect(await done).toEqual({ content: [] });
  });
});
