import { describe, expect, it } from '@jest/globals';
import { anonymous, asAgent, asViewer } from '../../support/callers.js';
import { useService } from '../../support/service.js';

const service = useService({
  settings: {
    DASHBOARD: 'off',
    TOOL_CHANGE_POLICY: 'allow',
    LEASE_SECONDS: '90',
    MAX_ATTEMPTS: '3',
    COMMENTS_PER_AGENT_HOUR: '42',
  },
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
          bodiesMaxBytes: 33_554_432,
          codeDeliveryMaxBytes: 26_214_400,
          pageMaxRows: 1_000,
          pageMaxBytes: 4_194_304,
          answerMaxBytes: 33_554_432,
          unreadMaxBytes: 33_554_432,
          usageReportsPerAgentHour: 36_000,
          streamUnreadMaxBytes: 262_144,
          streamsPerPrincipal: 128,
          requestsPerPrincipal: 500,
          connectionsMax: 8_192,
          commentsPerAgentHour: 42,
          commentBytesPerAgentHour: 33_554_432,
          attachmentsPerAgentHour: 1_000,
          attachmentBytesPerAgentHour: 2_147_483_648,
          mcpFrameMaxBytes: 4_194_304,
          mcpToolsMaxBytes: 8_388_608,
          mcpListMaxBytes: 1_048_576,
          mcpNotificationMaxBytes: 4_096,
          mcpNameMaxBytes: 128,
          mcpSessionsPerAgent: 64,
          mcpDiskMb: 2_048,
          leaseSeconds: 90,
          maxAttempts: 3,
          toolCallTimeoutMs: 55_000,
          toolCallHardLimitMs: 300_000,
          rateLimitPerMinute: 0,
        },
        features: { dashboard: false, toolApproval: false, attachmentStore: 'disk' },
        processes: [{ name: 'main', kind: 'all', state: 'ready', since: expect.any(String), restarts: 0 }],
      });
    }
  });

  it('is closed to strangers', async () => {
    expect((await anonymous(service).get('/api/info')).status).toBe(401);
  });
});
