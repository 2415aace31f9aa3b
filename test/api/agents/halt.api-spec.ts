import { describe, expect, it } from '@jest/globals';
import { asAdmin, asEditor, asViewer } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';

const service = useService();

describe('the halt of all agents', () => {
  it('is returned with its reason, and can be ended', async () => {
    const viewer = await asViewer(service);
    expect((await viewer.get('/api/agents/halt')).body).toEqual({ halted: false, reason: null });
    const halted = { halted: true, reason: 'Rotating all credentials.' };
    expect(await service.owner.put('/api/agents/halt', halted)).toMatchObject({ status: 200, body: halted });
    expect((await viewer.get('/api/agents/halt')).body).toEqual(halted);
    const ended = await service.owner.put('/api/agents/halt', { halted: false, reason: 'ignored' });
    expect(ended.body).toEqual({ halted: false, reason: null });
  });

  it('can be set only by an Admin, with a valid body', async () => {
    for (const caller of [await asViewer(service), await asEditor(service)])
      expect(await caller.put('/api/agents/halt', { halted: true })).toMatchObject(refused(403, 'forbidden'));
    const admin = await asAdmin(service);
    expect(await admin.put('/api/agents/halt', {})).toMatchObject(
      refused(400, 'validation_failed', 'halted'),
    );
    expect(await admin.put('/api/agents/halt', { halted: 'true' })).toMatchObject(
      refused(400, 'validation_failed', 'halted'),
    );
    expect(await admin.put('/api/agents/halt', { halted: true, reason: '' })).toMatchObject(
      refused(400, 'validation_failed', 'reason'),
    );
    expect((await admin.put('/api/agents/halt', { halted: false })).status).toBe(200);
  });
});
