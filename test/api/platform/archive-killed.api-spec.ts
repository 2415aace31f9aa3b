import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { OneConnection } from '../../support/database-of.js';
import { WAITING_FOR_LOCKS } from '../../support/waiting-for-locks.js';
import { OLD, OldMonth } from './old-month.js';

let month: OldMonth;
beforeAll(async () => void (month = await OldMonth.open()));
afterAll(() => month.end());

describe('npm run archive', () => {
  it('keeps the month when it was killed at any point, and then goes on', async () => {
    const before = await month.rows();
    await month.killWhen(async () => (await month.archived()).length > 0);
    await month.archive('--restore', OLD);
    expect(await month.rows()).toEqual(before);
    const reader = await OneConnection.open(month.database.url);
    await reader.rows('BEGIN');
    await reader.rows('SELECT 1 FROM webhook_deliveries LIMIT 1');
    await month.killWhen(async () => (await month.one.rows(WAITING_FOR_LOCKS)).length > 0);
    await reader.end();
    expect(await month.rows()).toEqual(before);
    expect(await month.archive('--dry-run', OLD)).toMatchObject({ code: 0 });
    expect(await month.archive(OLD)).toMatchObject({ code: 0 });
    expect(await month.isThere()).toBe(false);
  });
});
