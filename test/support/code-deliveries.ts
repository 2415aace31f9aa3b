import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import type { SetCodeHookResponse } from '../../src/work/code/code.dto.js';
import type { CodeProvider } from '../../src/work/code/code.entity.js';
import type { Answer } from './answer.js';
import { Caller } from './caller.js';
import type { Service } from './service.js';
import type { Wire } from './wire.js';

export type CodeHook = Wire<SetCodeHookResponse>;

const REPOSITORIES: Record<CodeProvider, string> = {
  github: 'https://github.com/Codertocat/Hello-World',
  gitlab: 'https://gitlab.com/gitlab-org/hello-world',
  gitea: 'https://try.gitea.io/jcitizen/my-repo',
};

/** Makes the hook of a project. @param caller an Admin there */
export async function aCodeHook(
  caller: Caller,
  project: { id: string },
  provider: CodeProvider = 'github',
  repositories = [REPOSITORIES[provider]],
): Promise<CodeHook> {
  const path = `/api/projects/${project.id}/code-hooks`;
  const answer = await caller.put<CodeHook>(path, { provider, repositories });
  if (answer.status !== 200) throw new Error(answer.text);
  return answer.body;
}

/** Returns a commit that no other test names. */
export const someSha = () => randomBytes(20).toString('hex');

const hex = (key: string | Buffer, body: string) => createHmac('sha256', key).update(body).digest('hex');

/** The headers of each code host, as its documentation has them. */
const HEADERS: Record<
  CodeProvider,
  (secret: string, id: string, event: string, body: string) => Record<string, string>
> = {
  github: (secret, id, event, body) => ({
    'x-github-delivery': id,
    'x-github-event': event,
    'x-hub-signature-256': `sha256=${hex(secret, body)}`,
  }),
  gitea: (secret, id, event, body) => ({
    'x-gitea-delivery': id,
    'x-gitea-event': event,
    'x-gitea-signature': hex(secret, body),
  }),
  gitlab: (secret, id, event) => ({
    'x-gitlab-event-uuid': randomUUID(),
    'idempotency-key': id,
    'x-gitlab-event': event,
    'x-gitlab-token': secret,
  }),
};

/** The signature of GitLab with a signing token, as Standard Webhooks describe it. */
export function signedByStandard(
  secret: string,
  id: string,
  body: string,
  at = Date.now(),
): Record<string, string> {
  const timestamp = String(Math.floor(at / 1000));
  const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
  const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': `v1,${signature}`,
    'x-gitlab-event': 'Push Hook',
  };
}

export interface Delivery {
  id?: string;
  secret?: string;
  headers?: Record<string, string>;
}

/** Sends a delivery as the code host of the hook does. */
export function deliver(
  service: Service,
  { path, provider, secret }: Pick<CodeHook, 'path' | 'provider' | 'secret'>,
  event: string,
  payload: unknown,
  { id = randomUUID(), secret: other, headers = {} }: Delivery = {},
): Promise<Answer> {
  const rawBody = typeof payload === 'string' ? payload : JSON.stringify(payload);
  return new Caller(service, {}).post(path, undefined, {
    rawBody,
    headers: {
      'content-type': 'application/json',
      ...HEADERS[provider](other ?? secret!, id, event, rawBody),
      ...headers,
    },
  });
}

/** A pull request of GitHub; the fields are those of `samples.github.pull_request`. */
export function aPullRequest(fields: {
  number?: number;
  title?: string;
  body?: string;
  branch?: string;
  sha?: string;
  fork?: boolean;
  association?: string;
  state?: 'open' | 'closed';
  merged?: boolean;
  draft?: boolean;
  updatedAt?: string;
}): object {
  const {
    number = 2,
    title = 'Update the README',
    body = null,
    branch = 'changes',
    sha = someSha(),
  } = fields;
  const full_name = 'Codertocat/Hello-World';
  const from = fields.fork === true ? 'someone/Hello-World' : full_name;
  return {
    action: 'synchronize',
    number,
    pull_request: {
      html_url: `https://github.com/Codertocat/Hello-World/pull/${number}`,
      number,
      state: fields.state ?? 'open',
      title,
      body,
      user: { login: 'Codertocat' },
      head: { ref: branch, sha, repo: { full_name: from } },
      base: { ref: 'master', repo: { full_name } },
      author_association: fields.association ?? 'NONE',
      draft: fields.draft ?? false,
      merged: fields.merged ?? false,
      updated_at: fields.updatedAt ?? new Date().toISOString(),
    },
    repository: { full_name, html_url: REPOSITORIES.github, default_branch: 'master' },
  };
}

/** A commit status of GitHub. */
export function aStatus(
  sha: string,
  state: 'pending' | 'success' | 'failure' | 'error',
  context = 'ci/build',
  updatedAt = new Date().toISOString(),
): object {
  return { sha, context, state, updated_at: updatedAt, repository: { html_url: REPOSITORIES.github } };
}

/**
 * Payloads that code hosts sent, without the fields that nothing reads. Those of GitHub are from the repository
 * octokit/webhooks (payload-examples/api.github.com, commit 3a58428a), those of GitLab and Gitea from drone/go-scm
 * (testdata/webhooks of its drivers, commit 65473142); `status` of Gitea has the form of its CommitStatusPayload
 * (modules/structs/hook.go of go-gitea/gitea), and `push` of GitHub that of its documentation.
 */
export const samples = {
  github: {
    pull_request: {
      action: 'opened',
      number: 2,
      pull_request: {
        html_url: 'https://github.com/Codertocat/Hello-World/pull/2',
        number: 2,
        state: 'open',
        title: 'Update the README with new information.',
        body: 'This is a pretty simple change that we need to pull into master.',
        user: { login: 'Codertocat' },
        head: {
          ref: 'changes',
          sha: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821',
          repo: { full_name: 'Codertocat/Hello-World' },
        },
        base: { ref: 'master', repo: { full_name: 'Codertocat/Hello-World' } },
        author_association: 'OWNER',
        draft: false,
        merged: false,
        updated_at: '2019-05-15T15:20:33Z',
      },
      repository: {
        full_name: 'Codertocat/Hello-World',
        html_url: 'https://github.com/Codertocat/Hello-World',
        default_branch: 'master',
      },
    },
    push: {
      ref: 'refs/heads/changes',
      before: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
      after: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821',
      deleted: false,
      commits: [
        {
          id: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821',
          message: 'Update README.md\n\nIt says what the project is for.',
          timestamp: '2019-05-15T15:20:25Z',
          url: 'https://github.com/Codertocat/Hello-World/commit/ec26c3e57ca3a959ca5aad62de7213c562f8c821',
          author: { name: 'Codertocat', username: 'Codertocat' },
        },
      ],
      pusher: { name: 'Codertocat' },
      repository: {
        full_name: 'Codertocat/Hello-World',
        html_url: 'https://github.com/Codertocat/Hello-World',
        default_branch: 'master',
      },
    },
    check_suite: {
      action: 'completed',
      check_suite: {
        id: 118578147,
        head_branch: 'changes',
        head_sha: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821',
        status: 'completed',
        conclusion: 'success',
        updated_at: '2019-05-15T15:21:14Z',
        app: { id: 29310 },
      },
      repository: { html_url: 'https://github.com/Codertocat/Hello-World' },
    },
    check_run: {
      action: 'completed',
      check_run: {
        id: 128620228,
        name: 'Octocoders-linter',
        head_sha: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821',
        status: 'completed',
        conclusion: 'success',
        started_at: '2019-05-15T15:21:12Z',
        completed_at: '2019-05-15T15:21:12Z',
        app: { id: 29310 },
        check_suite: {
          id: 118578147,
          head_branch: 'changes',
          head_sha: 'ec26c3e57ca3a959ca5aad62de7213c562f8c821',
          status: 'completed',
          conclusion: 'success',
        },
      },
      repository: { html_url: 'https://github.com/Codertocat/Hello-World' },
    },
    status: {
      id: 6805126730,
      sha: '6113728f27ae82c7b1a177c8d03f9e96e0adf246',
      context: 'default',
      description: null,
      state: 'success',
      updated_at: '2019-05-15T15:20:55+00:00',
      repository: { html_url: 'https://github.com/Codertocat/Hello-World' },
    },
    workflow_run: {
      action: 'completed',
      workflow_run: {
        id: 289782451,
        name: '',
        workflow_id: 2823525,
        event: 'repository_dispatch',
        head_branch: 'master',
        head_sha: '3484a3fb816e0859fd6e1cea078d76385ff50625',
        status: 'completed',
        conclusion: 'success',
        updated_at: '2020-10-05T16:33:49Z',
        path: '.github/workflows/test.yml',
      },
      repository: { html_url: 'https://github.com/octo-org/octo-repo' },
    },
  },
  gitlab: {
    merge_request: {
      object_kind: 'merge_request',
      user: { username: 'sytses' },
      project: {
        id: 4861503,
        web_url: 'https://gitlab.com/gitlab-org/hello-world',
        path_with_namespace: 'gitlab-org/hello-world',
        default_branch: 'master',
      },
      object_attributes: {
        iid: 1,
        url: 'https://gitlab.com/gitlab-org/hello-world/merge_requests/1',
        title: 'update readme',
        description: 'adding build instructions to readme',
        state: 'opened',
        action: 'open',
        source_branch: 'feature',
        target_branch: 'master',
        source_project_id: 4861503,
        target_project_id: 4861503,
        updated_at: '2017-12-10 17:01:11 UTC',
        work_in_progress: false,
        last_commit: { id: 'c4c79227ed610f1151f05bbc5be33b4f340d39c8', message: 'update readme\n' },
      },
    },
    push: {
      object_kind: 'push',
      ref: 'refs/heads/master',
      before: '9217710ce8c7e1eae7a5d1c45f6e43e1c769f866',
      after: '2adc9465c4edfc33834e173fe89436a7cb899a1d',
      user_username: 'sytses',
      project: {
        id: 4861503,
        web_url: 'https://gitlab.com/gitlab-org/hello-world',
        path_with_namespace: 'gitlab-org/hello-world',
        default_branch: 'master',
      },
      commits: [
        {
          id: '2adc9465c4edfc33834e173fe89436a7cb899a1d',
          message: 'added readme\n',
          url: 'https://gitlab.com/gitlab-org/hello-world/commit/2adc9465c4edfc33834e173fe89436a7cb899a1d',
          timestamp: '2017-12-10T08:26:38+00:00',
          author: { name: 'Sid Sijbrandij' },
        },
      ],
    },
    pipeline: {
      object_kind: 'pipeline',
      object_attributes: {
        id: 31,
        ref: 'master',
        sha: 'bcbb5ec396a2c0f828686f14fac9b80b780504f2',
        source: 'merge_request_event',
        status: 'success',
        created_at: '2016-08-12 15:23:28 UTC',
        finished_at: '2016-08-12 15:26:29 UTC',
      },
      project: {
        id: 1,
        web_url: 'http://192.168.64.1:3005/gitlab-org/gitlab-test',
        path_with_namespace: 'gitlab-org/gitlab-test',
        default_branch: 'master',
      },
    },
  },
  gitea: {
    pull_request: {
      action: 'closed',
      number: 1,
      pull_request: {
        html_url: 'https://try.gitea.io/jcitizen/my-repo/pulls/1',
        number: 1,
        state: 'closed',
        title: 'Add LICENSE File',
        body: 'Using a BSD License',
        user: { login: 'jcitizen' },
        head: {
          ref: 'feature',
          sha: '2eba238e33607c1fa49253182e9fff42baafa1eb',
          repo: { full_name: 'jcitizen/my-repo' },
        },
        base: { ref: 'master', repo: { full_name: 'jcitizen/my-repo' } },
        merged: true,
        updated_at: '2018-07-06T01:39:46Z',
      },
      repository: {
        full_name: 'jcitizen/my-repo',
        html_url: 'https://try.gitea.io/jcitizen/my-repo',
        default_branch: 'master',
      },
    },
    push: {
      ref: 'refs/heads/master',
      before: '9836a96a253cce25d17988fcf41b8c4205cf779f',
      after: '4522cbcefc20728a5b72b3a86af35e608622c514',
      commits: [
        {
          id: '4522cbcefc20728a5b72b3a86af35e608622c514',
          message: 'Updated readme\n',
          url: 'http://try.gitea.io/gogits/hello-world/commit/4522cbcefc20728a5b72b3a86af35e608622c514',
          timestamp: '2017-12-09T01:35:07Z',
          author: { name: 'Unknwon', username: 'unknwon' },
        },
      ],
      pusher: { login: 'unknwon' },
      repository: {
        full_name: 'gogits/hello-world',
        html_url: 'http://try.gitea.io/gogits/hello-world',
        default_branch: 'master',
      },
    },
    status: {
      id: 7,
      sha: '2eba238e33607c1fa49253182e9fff42baafa1eb',
      context: 'ci/woodpecker',
      description: 'Pipeline was successful',
      state: 'success',
      created_at: '2018-07-06T01:00:00Z',
      updated_at: '2018-07-06T01:20:00Z',
      repository: { html_url: 'https://try.gitea.io/jcitizen/my-repo' },
    },
  },
} satisfies Record<CodeProvider, Record<string, object>>;
