import { createHmac } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { signedByStandard } from '../../../test/support/code-deliveries.js';
import { NotFound } from '../../platform/http/problem.js';
import type { SeenProject } from '../projects/projects-members-and-graph-lock.repository.js';
import { CodeHooksService, newSecret, proofs } from './code-hooks-and-signatures.service.js';

const secret = newSecret();
const body = Buffer.from('{"a": "é"}');
const hex = createHmac('sha256', secret).update(body).digest('hex');

describe('the signature of a delivery', () => {
  it('of GitHub is that of its documentation', () => {
    // https://docs.github.com/en/webhooks/using-webhooks/validating-webhook-deliveries has this example.
    const { isSignedWith } = proofs.github({
      'x-hub-signature-256': 'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
    });
    expect(isSignedWith("It's a Secret to Everybody", Buffer.from('Hello, World!'))).toBe(true);
    expect(isSignedWith("It's a Secret to Everybody", Buffer.from('Hello, World?'))).toBe(false);
  });

  it('of Gitea is the bare HMAC, and of GitLab the secret itself', () => {
    expect(proofs.gitea({ 'x-gitea-signature': hex }).isSignedWith(secret, body)).toBe(true);
    expect(proofs.gitea({ 'x-gitea-signature': `sha256=${hex}` }).isSignedWith(secret, body)).toBe(false);
    expect(proofs.gitlab({ 'x-gitlab-token': secret }).isSignedWith(secret, body)).toBe(true);
    expect(proofs.gitlab({ 'x-gitlab-token': `${secret}x` }).isSignedWith(secret, body)).toBe(false);
  });

  it('of GitLab with a signing token is that of Standard Webhooks, within five minutes', () => {
    const at = (seconds: number) =>
      signedByStandard(secret, 'a', body.toString(), Date.now() + seconds * 1000);
    expect(proofs.gitlab(at(0)).isSignedWith(secret, body)).toBe(true);
    expect(proofs.gitlab(at(-299)).isSignedWith(secret, body)).toBe(true);
    for (const seconds of [-400, 400])
      expect(proofs.gitlab(at(seconds)).isSignedWith(secret, body)).toBe(false);
    expect(proofs.gitlab({ ...at(0), 'webhook-id': 'b' }).isSignedWith(secret, body)).toBe(false);
    // A wrong signature is not made good by the secret beside it.
    const wrong = { ...at(0), 'webhook-signature': 'v1,AAAA', 'x-gitlab-token': secret };
    expect(proofs.gitlab(wrong).isSignedWith(secret, body)).toBe(false);
  });

  it('is refused where it is missing or of another secret', () => {
    for (const read of Object.values(proofs)) {
      expect(read({}).isSignedWith(secret, body)).toBe(false);
      const all = {
        'x-hub-signature-256': `sha256=${hex}`,
        'x-gitea-signature': hex,
        'x-gitlab-token': secret,
      };
      expect(read(all).isSignedWith(newSecret(), body)).toBe(false);
    }
  });
});

describe('the hook that holds the secret', () => {
  const settingFails = (fields: object) => {
    const hooks = {
      findOne: async () => null,
      insert: async () => {
        throw Object.assign(new Error('refused'), fields);
      },
    };
    const encryption = { seal: () => 'sealed' };
    const transactions = { run: (work: () => Promise<unknown>) => work() };
    const none = {} as never;
    const service = new CodeHooksService(
      hooks as never,
      none,
      encryption as never,
      transactions as never,
      none,
    );
    return service.set({ id: 'deleted meanwhile' } as SeenProject, { provider: 'github', repositories: [] });
  };

  it('is not found where its project was deleted after it was read', async () => {
    const ofProject = { code: '23503', constraint: 'code_hooks_project_fk' };
    await expect(settingFails(ofProject)).rejects.toBeInstanceOf(NotFound);
    await expect(settingFails({ ...ofProject, constraint: 'another_fk' })).rejects.toThrow('refused');
  });
});
