import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  clientContext,
  grantContext,
  signInContext,
  tokenContext,
} from '../../../src/mcp/oauth/oauth.entities.js';
import { replaceKeyRingFile } from '../../../src/platform/encryption/key-ring-sources.js';
import { newKeyRing, ringOf, withNewKey } from '../../../src/platform/encryption/key-ring.js';
import { emptyDatabase } from '../../support/backup-commands.js';
import { SealedPlace } from '../../support/key-ring.js';

let place: SealedPlace;
beforeEach(async () => void (place = await SealedPlace.make()));
afterEach(() => place.remove());

const filled = async (count: number) => {
  expect(await place.keys(['init'])).toMatchObject({ code: 0 });
  await place.seal(place.ring(), count);
};

describe('npm run keys -- init', () => {
  it('makes a key ring that a start in production accepts', async () => {
    expect(await place.keysAlone(['init'], { NODE_ENV: 'production' })).toMatchObject({ code: 0 });
    expect(place.ring().ids).toEqual(['k1']);
    expect(await place.keysAlone(['check'], { NODE_ENV: 'production' })).toMatchObject({ code: 0 });
  });

  it('fails when there is a key ring, and leaves it and its check value', async () => {
    await place.keys(['init']);
    await place.keys(['check']);
    const [ring, checks] = [place.ring(), await place.store.checks()];
    expect(await place.keys(['init'])).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('already'),
    });
    expect(place.ring().contains(ring)).toBe(true);
    expect(await place.store.checks()).toEqual(checks);
  });

  it('fails when any value is sealed, and makes no file', async () => {
    await filled(1);
    await rm(place.file);
    expect(await place.keys(['init'])).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('sealed values'),
    });
    expect(existsSync(place.file)).toBe(false);
  });

  it('makes a new key ring with a new id after one was lost that had sealed nothing', async () => {
    await place.keys(['init']);
    await place.keys(['check']);
    await rm(place.file);
    expect(await place.keys(['init'])).toMatchObject({ code: 0 });
    expect(place.ring().ids).toEqual(['k2']);
    expect(await place.keys(['check'])).toMatchObject({ code: 0 });
  });
});

describe('npm run keys -- add, rotate, check', () => {
  it('seals the arguments of calls that wait for an approval again', async () => {
    await filled(1);
    const gateId = randomUUID();
    const context = `gate|${gateId}|arguments`;
    await place.client.query('ALTER TABLE gate_arguments DROP CONSTRAINT gate_arguments_gate_fk');
    const sealed = place.ring().seal('{"exact":{}}', context);
    await place.client.query('INSERT INTO gate_arguments (gate_id, sealed) VALUES ($1, $2)', [
      gateId,
      sealed,
    ]);
    for (const command of [['add'], ['rotate'], ['retire', 'k1']])
      expect(await place.keys(command)).toMatchObject({ code: 0 });
    const { rows } = await place.client.query<{ sealed: string }>('SELECT sealed FROM gate_arguments');
    expect(rows[0]!.sealed.split('.')[1]).toBe('k2');
    expect(place.ring().open(rows[0]!.sealed, context)).toBe('{"exact":{}}');
  });

  it('seals the tokens, grants, clients and pending sign-ins at remote servers again', async () => {
    await filled(1);
    const [set, state] = [randomUUID(), Buffer.from('a hash of a state')];
    const client = ['https://as.example.com', 'https://awp.example.com/api/mcp/oauth/callback'] as const;
    for (const constraint of [
      'oauth_tokens DROP CONSTRAINT oauth_tokens_set_fk',
      'oauth_grants DROP CONSTRAINT oauth_grants_set_fk',
      'oauth_sign_ins DROP CONSTRAINT oauth_sign_ins_set_fk, DROP CONSTRAINT oauth_sign_ins_user_fk',
    ])
      await place.client.query(`ALTER TABLE ${constraint}`);
    const rows: [string, string, unknown[]][] = [
      [
        tokenContext(set),
        'oauth_tokens (sealed, credential_set_id, token_id, process_revision, usable_until) VALUES ($1, $2, $2, $3, now())',
        [set, '1.1'],
      ],
      [
        grantContext(set),
        'oauth_grants (sealed, credential_set_id, version, issuer) VALUES ($1, $2, $2, $3)',
        [set, client[0]],
      ],
      [
        signInContext(set, state),
        'oauth_sign_ins (sealed, credential_set_id, state_hash, user_id, return_to) VALUES ($1, $2, $3, $4, $5)',
        [set, state, randomUUID(), '/'],
      ],
      [
        clientContext(...client),
        'oauth_clients (sealed, issuer, redirect_uri) VALUES ($1, $2, $3)',
        [...client],
      ],
    ];
    for (const [context, into, values] of rows)
      await place.client.query(`INSERT INTO ${into}`, [place.ring().seal(context, context), ...values]);
    for (const command of [['add'], ['rotate'], ['retire', 'k1']])
      expect(await place.keys(command)).toMatchObject({ code: 0 });
    for (const [context, into] of rows) {
      const table = into.split(' ')[0]!;
      const { rows: stored } = await place.client.query<{ sealed: string }>(`SELECT sealed FROM ${table}`);
      expect(stored.map(({ sealed }) => [sealed.split('.')[1], place.ring().open(sealed, context)])).toEqual([
        ['k2', context],
      ]);
    }
  });

  it('seals all values again with the added key, and keeps the old key in the key ring', async () => {
    await filled(5);
    expect(await place.keys(['add'])).toMatchObject({ code: 0 });
    expect(await place.keyIdsInUse()).toEqual(['k1']);
    expect(await place.keys(['rotate'])).toMatchObject({
      code: 0,
      stdout: expect.stringContaining('5 values'),
    });
    expect(await place.keyIdsInUse()).toEqual(['k2']);
    expect(place.ring().ids).toEqual(['k1', 'k2']);
    expect(await place.broken(place.ring())).toEqual([]);
  });

  it('adds a key that only opens values until rotate names it', async () => {
    await filled(2);
    await place.keys(['add', '--not-primary']);
    expect(place.ring().primary).toBe('k1');
    expect(await place.keys(['rotate', 'k2'])).toMatchObject({ code: 0 });
    expect(place.ring().primary).toBe('k2');
    expect(await place.keyIdsInUse()).toEqual(['k2']);
  });

  it('counts the values of each key', async () => {
    await filled(3);
    await place.keys(['add']);
    await place.seal(place.ring(), 2);
    const { code, stdout } = await place.keys(['check']);
    expect(stdout).toContain('5 values: 5 open, 0 do not.');
    expect(stdout).toContain('k1: 3');
    expect(stdout).toContain('k2 (primary): 2');
    expect(code).toBe(0);
  });

  it('changes nothing when a value does not open, and names that value', async () => {
    await filled(3);
    await place.client.query(`UPDATE server_credentials SET sealed = 'damaged' WHERE name = 'NAME_1'`);
    await place.keys(['add']);
    expect(await place.keys(['check'])).toMatchObject({ code: 1, stderr: expect.stringContaining('NAME_1') });
    expect(await place.keys(['rotate'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('NAME_1'),
    });
    expect(await place.keyIdsInUse()).toEqual(['k1', 'none']);
  });

  it('fails with a key ring of another database, and leaves it as it is', async () => {
    await filled(1);
    await place.keys(['check']);
    await replaceKeyRingFile(place.file, withNewKey(newKeyRing('k1'), 'k2', false));
    for (const options of [['rotate'], ['rotate', 'k2'], ['add'], ['check']])
      expect(await place.keys(options)).toMatchObject({ code: 78, stderr: expect.stringContaining("'k1'") });
    expect(place.ring()).toMatchObject({ primary: 'k1', ids: ['k1', 'k2'] });
  });

  it('rotates a key ring of ENCRYPTION_KEYS, and leaves adding a key to the operator', async () => {
    const [k1, k2] = [newKeyRing('k1'), newKeyRing('k2')];
    await place.seal(ringOf(k1), 2);
    const both = { ENCRYPTION_KEYS: `k2:${k2.keys[0]!.key},k1:${k1.keys[0]!.key}` };
    expect(await place.keys(['add'], both)).toMatchObject({
      code: 78,
      stderr: expect.stringContaining('ENCRYPTION_KEYS'),
    });
    expect(await place.keys(['rotate'], both)).toMatchObject({ code: 0 });
    expect(await place.broken(ringOf(k2))).toEqual([]);
  });

  it('retires a key when it seals nothing and no service runs', async () => {
    await filled(2);
    await place.keys(['add']);
    const refused = { code: 1, stderr: expect.stringContaining('2 values') };
    expect(await place.keys(['retire', 'k1'])).toMatchObject(refused);
    await place.keys(['rotate']);
    await place.client.query(`SET application_name = 'agent-work-platform'`);
    expect(await place.keys(['retire', 'k1'])).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('Stop'),
    });
    await place.client.query('RESET application_name');
    for (const id of ['k2', 'k9', '']) expect(await place.keys(['retire', id])).toMatchObject({ code: 78 });
    expect(await place.keys(['retire', 'k1'])).toMatchObject({ code: 0 });
    expect(place.ring().ids).toEqual(['k2']);
    expect(await place.keys(['check'])).toMatchObject({ code: 0 });
  });

  it('gives no all-clear where there is no database of a service', async () => {
    const empty = await emptyDatabase();
    for (const [settings, where] of [
      [{ DATABASE_URL: '', DATA_DIR: join(tmpdir(), `awp-none-${randomUUID()}`) }, 'holds no database'],
      [{ DATABASE_URL: empty.url }, 'has no tables of the service'],
    ] as const) {
      const { code, stdout, stderr } = await place.keys(['check'], settings);
      expect(code).toBe(78);
      expect(stderr).toMatch(new RegExp(`^Nothing was checked: .*${where}`));
      expect(stdout).toBe('');
    }
    await empty.drop();
  });

  it('reports that the database does not respond', async () => {
    const away = { DATABASE_URL: 'postgresql://nobody:word@127.0.0.1:1/none' };
    const { code, stderr } = await place.keys(['check'], away);
    expect(code).toBe(1);
    expect(stderr).toContain('DATABASE_URL: no PostgreSQL responds at 127.0.0.1:1 (ECONNREFUSED)');
    expect(stderr).not.toContain('word');
  });

  it('adds a separate key for each of several concurrent commands', async () => {
    await filled(1);
    const ends = await Promise.all(Array.from({ length: 4 }, () => place.keysAlone(['add'])));
    expect(ends.map(({ code }) => code)).toEqual([0, 0, 0, 0]);
    expect(place.ring().ids).toEqual(['k1', 'k2', 'k3', 'k4', 'k5']);
  });

  it('prints its usage for an unknown command', async () => {
    for (const options of [[], ['rotat'], ['toString'], ['check', 'all']])
      expect(await place.keys(options)).toMatchObject({
        code: 64,
        stderr: expect.stringContaining('npm run keys'),
      });
  });
});
