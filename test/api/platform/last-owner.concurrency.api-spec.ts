import { beforeEach, describe, expect, it } from '@jest/globals';
import type { Caller } from '../../support/caller.js';
import { asOwner, PASSWORD } from '../../support/callers.js';
import { refused } from '../../support/refusal.js';
import { useService } from '../../support/service.js';

const service = useService();
const owners = () =>
  service.sql<{ id: string }>(`SELECT id FROM users WHERE role = 'Owner' AND disabled_at IS NULL`);

/** Leaves the first Owner and one more, and no other Owner. */
let [first, second]: Caller[] = [];
beforeEach(async () => {
  await service.sql(`UPDATE users SET role = 'Owner', disabled_at = NULL WHERE email = 'owner@example.com'`);
  await service.sql(`UPDATE users SET role = 'Viewer' WHERE email <> 'owner@example.com'`);
  const { id } = (await service.owner.get<{ id: string }>('/api/auth/me')).body;
  first = Object.assign(service.owner, { id });
  second = await asOwner(service);
});

describe('the last Owner', () => {
  it('can neither be demoted, disabled nor deleted', async () => {
    await first!.put(`/api/users/${second!.id}`, { role: 'Viewer' });
    for (const change of [{ role: 'Admin' }, { disabled: true }])
      expect(await first!.put(`/api/users/${first!.id}`, change)).toMatchObject(refused(409, 'last_owner'));
    expect(await first!.delete(`/api/users/${first!.id}`)).toMatchObject(refused(409, 'last_owner'));
    expect(await owners()).toHaveLength(1);
  });

  it('is the last enabled one when another Owner is disabled', async () => {
    await first!.put(`/api/users/${second!.id}`, { disabled: true });
    expect(await first!.put(`/api/users/${first!.id}`, { role: 'Admin' })).toMatchObject(
      refused(409, 'last_owner'),
    );
  });

  it('is the last one who can sign in when another Owner has neither a password nor a key of the whole role', async () => {
    const demoted = () => first!.put(`/api/users/${first!.id}`, { role: 'Admin' });
    await service.sql('UPDATE api_keys SET expires_at = now() WHERE user_id = $1', [second!.id]);
    expect(await demoted()).toMatchObject(refused(409, 'last_owner'));
    await service.sql(`UPDATE api_keys SET expires_at = NULL, role = 'Admin' WHERE user_id = $1`, [
      second!.id,
    ]);
    expect(await demoted()).toMatchObject(refused(409, 'last_owner'));
    await service.sql('DELETE FROM api_keys WHERE user_id = $1', [second!.id]);
    expect(await demoted()).toMatchObject(refused(409, 'last_owner'));
    await first!.put(`/api/users/${second!.id}`, { password: PASSWORD });
    expect((await demoted()).status).toBe(200);
  });

  it('can change the own name', async () => {
    await first!.put(`/api/users/${second!.id}`, { role: 'Viewer' });
    expect((await first!.put(`/api/users/${first!.id}`, { name: 'Still here', role: 'Owner' })).status).toBe(
      200,
    );
  });

  it('remains when two Owners demote each other concurrently', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [here, there] = [first!, await asOwner(service)];
      await service.sql(`UPDATE users SET role = 'Viewer' WHERE role = 'Owner' AND id NOT IN ($1, $2)`, [
        here.id,
        there.id,
      ]);
      const answers = await Promise.all([
        here.put(`/api/users/${there.id}`, { role: 'Viewer' }),
        there.put(`/api/users/${here.id}`, { role: 'Viewer' }),
        here.put(`/api/users/${here.id}`, { role: 'Viewer' }),
        there.delete(`/api/users/${there.id}`),
      ]);
      expect(await owners()).toHaveLength(1);
      for (const { status } of answers) expect([200, 204, 401, 403, 409]).toContain(status);
      await service.sql(`UPDATE users SET role = 'Owner', disabled_at = NULL WHERE id = $1`, [here.id]);
    }
  });
});
