import { execFileSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  mkdir,
  mkdtemp,
  readdir,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  createKeyRingFile,
  loadKeyRing,
  replaceKeyRingFile,
} from '../../../src/platform/encryption/key-ring-sources.js';
import { KeyRingError, newKeyRing, ringOf, withNewKey } from '../../../src/platform/encryption/key-ring.js';

let folder: string;
let file: string;
const load = () => loadKeyRing({ file, keys: null });

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'awp-ring-'));
  file = join(folder, 'keyring.json');
});
afterEach(() => rm(folder, { recursive: true, force: true }));

describe('ENCRYPTION_KEYRING_FILE', () => {
  it('loads as null when there is no file yet', () => {
    expect(load()).toBeNull();
  });

  it('is accepted with mode 0600 and with the stricter 0400', async () => {
    const document = newKeyRing('k1');
    await createKeyRingFile(file, document);
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(load()?.contains(ringOf(document))).toBe(true);
    await chmod(file, 0o400);
    expect(load()?.primary).toBe('k1');
  });

  it.each([0o644, 0o640, 0o604, 0o660, 0o700])(
    'is rejected with mode %o by an error that names the file and chmod',
    async (mode) => {
      await createKeyRingFile(file, newKeyRing('k1'));
      await chmod(file, mode);
      expect(load).toThrow(KeyRingError);
      expect(load).toThrow(new RegExp(`${file}.*chmod 600`));
    },
  );

  it('is rejected when it belongs to another user', async () => {
    if (process.geteuid?.() !== 0) return; // Only root can give a file away.
    await createKeyRingFile(file, newKeyRing('k1'));
    await chown(file, 12_345, 0);
    expect(load).toThrow(/belongs to another user/);
  });

  it('is rejected when it is a folder or a named pipe', async () => {
    await mkdir(file);
    expect(load).toThrow(/not a regular file/);
    await rm(file, { recursive: true });
    execFileSync('mkfifo', ['-m', '600', file]);
    expect(load).toThrow(/not a regular file/);
  });

  it('is rejected when it is cut off, without quoting a key', async () => {
    const document = newKeyRing('k1');
    await createKeyRingFile(file, document);
    await truncate(file, 60);
    expect(load).toThrow(new RegExp(`${file}.*backup`));
    expect(load).not.toThrow(document.keys[0]!.key.slice(0, 6));
  });

  it('is rejected with a key that is not 32 bytes, by an error that names its id', async () => {
    await writeFile(
      file,
      JSON.stringify({ version: 1, primary: 'k1', keys: [{ id: 'k1', key: 'c2hvcnQ=' }] }),
      {
        mode: 0o600,
      },
    );
    expect(load).toThrow(/'k1'.*32 bytes/);
  });
});

describe('ENCRYPTION_KEYS', () => {
  const base64 = () => randomBytes(32).toString('base64');
  const keys = (text: string) => () => loadKeyRing({ file, keys: text });

  it('holds the key ring, whose first key is primary, and leaves the file unused', async () => {
    await writeFile(file, 'not looked at', { mode: 0o644 });
    const ring = keys(`k2:${base64()}, k1:${base64()}`)();
    expect(ring?.ids).toEqual(['k2', 'k1']);
    expect(ring?.primary).toBe('k2');
  });

  it('is rejected by an error that names the setting and the id and never quotes a key', () => {
    const key = base64();
    expect(keys(`k1:${key.slice(1)}`)).toThrow(/ENCRYPTION_KEYS.*'k1'.*32 bytes/);
    expect(keys(`k1:${key}:${key}`)).toThrow(/'k1'/);
    expect(keys(`k1:${key},k1:${key}`)).toThrow(/two keys 'k1'/);
    for (const text of [key, `:${key}`, `k1:${key},`, `${key}:k1`]) {
      expect(keys(text)).toThrow(/ENCRYPTION_KEYS.*id/);
      expect(keys(text)).not.toThrow(key.slice(0, 8));
    }
  });
});

describe('writing the key ring', () => {
  it('lets one of many concurrent writers win, and leaves nothing beside the file', async () => {
    const made = await Promise.all(
      Array.from({ length: 10 }, () => createKeyRingFile(file, newKeyRing('k1'))),
    );
    expect(made.filter(Boolean)).toHaveLength(1);
    expect(await readdir(folder)).toEqual(['keyring.json']);
  });

  it('makes a missing folder', async () => {
    const deeper = join(folder, 'data', 'keyring.json');
    expect(await createKeyRingFile(deeper, newKeyRing('k1'))).toBe(true);
    expect((await stat(join(folder, 'data'))).mode & 0o777).toBe(0o700);
  });

  it('replaces the file with mode 0600, also through a link, and leaves nothing beside it', async () => {
    const document = newKeyRing('k1');
    const link = join(folder, 'link.json');
    await createKeyRingFile(file, document);
    await symlink(file, link);
    await replaceKeyRingFile(link, withNewKey(document, 'k2', true));
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    expect(load()?.ids).toEqual(['k1', 'k2']);
    expect(await readdir(folder)).toEqual(['keyring.json', 'link.json']);
  });

  it('says what to do when the folder is not writable', async () => {
    const below = join(folder, 'a-file', 'keyring.json');
    await writeFile(join(folder, 'a-file'), '');
    await expect(createKeyRingFile(below, newKeyRing('k1'))).rejects.toThrow(KeyRingError);
  });
});
