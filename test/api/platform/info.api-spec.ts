import { describe, expect, it } from '@jest/globals';
import { anonymous, asAgent, asViewer } from '../../support/callers.js';
import { useService } from '../../support/service.js';

const service = useService({
  settings: { DASHBOARD: 'off', TOOL_CHANGE_POLICY: 'allow', LEASE_SECONDS: '90', MAX_ATTEMPTS: '3' },
});

describe('GET /api/info', () => {
  it('returns version, limits and features of this installation to every user and agent', async () => {
    const answers = [await asViewer(service), await asAgent(service)].map((caller) =>
      caller.get('/api/info'),
    );
    for (const { status, body } of await Promise.all(answers)) {
      expect(status).toBe(200);
      expect(body).toEqual({
        version: expect.stringMatching(/^\d+\.\d+\.\d+$/),
        limits: {
          attachmentMaxBytes: 26_214_400,
          bodyMaxBytes: 1_048_576,
          pageMaxRows: 1_000,
          leaseSeconds: 90,
          maxAttempts: 3,
          toolCallTimeoutMs: 60_000,
          toolCallHardLimitMs: 300_000,
          rateLimitPerMinute: 0,
        },
        features: { dashboard: false, toolApproval: false, attachmentStore: 'disk' },
      });
    }
  });

  it('is closed to strangers', async () => {
    expect((await anonymous(service).get('/api/info')).status).toBe(401);
  });
});
