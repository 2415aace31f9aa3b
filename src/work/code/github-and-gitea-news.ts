import { branchAddress } from './code-addresses-and-keys.js';
import {
  at,
  type CheckNews,
  checkName,
  type CodeNews,
  firstLine,
  idAt,
  instantAt,
  type ItemNews,
  listAt,
  MOST_COMMITS,
  orderOfPush,
  shaAt,
  textAt,
} from './code-news.js';
import type { CodeState } from './code.entity.js';

type Provider = 'github' | 'gitea';

/** People who may write in a repository of GitHub. Gitea says nothing of the kind. */
const WRITERS: ReadonlySet<unknown> = new Set(['OWNER', 'MEMBER', 'COLLABORATOR']);

/** The conclusions of checks. GitHub counts skipped and neutral ones as passed; action_required waits for a person. */
const CONCLUSIONS: ReadonlyMap<string, CheckNews['state']> = new Map([
  ['success', 'passing'],
  ['neutral', 'passing'],
  ['skipped', 'passing'],
  ['action_required', 'pending'],
]);

/** The states of the commit statuses of both; Gitea has warning and skipped. */
const STATUSES: ReadonlyMap<string, CheckNews['state']> = new Map([
  ['success', 'passing'],
  ['warning', 'passing'],
  ['skipped', 'passing'],
  ['pending', 'pending'],
]);

/** Returns what a delivery of GitHub or Gitea reports; Gitea has the events and fields of GitHub. */
export function newsOfGitHubOrGitea(provider: Provider, event: string, payload: unknown): CodeNews | null {
  const repository = textAt(payload, 'repository', 'html_url');
  if (repository === null) return null;
  const checks = CHECKS.get(event);
  if (checks) return { repository, items: [], checks: checks(payload) };
  if (event === 'push') return { repository, items: pushed(provider, repository, payload), checks: [] };
  if (/^pull_request(_sync|_edited)?$/.test(event))
    return { repository, items: pullRequest(payload), checks: [] };
  return null;
}

function pullRequest(payload: unknown): ItemNews[] {
  const pull = at(payload, 'pull_request');
  const url = textAt(pull, 'html_url');
  if (url === null) return [];
  const home = textAt(pull, 'base', 'repo', 'full_name');
  const isOfWriter = WRITERS.has(at(pull, 'author_association'));
  return [
    {
      kind: 'pull_request',
      url,
      title: textAt(pull, 'title') ?? url,
      state: stateOf(pull),
      headSha: shaAt(pull, 'head', 'sha'),
      author: textAt(pull, 'user', 'login'),
      at: instantAt(pull, 'updated_at'),
      order: null,
      branch: textAt(pull, 'head', 'ref'),
      texts: [textAt(pull, 'title') ?? '', textAt(pull, 'body') ?? ''],
      trusted: {
        branch: home !== null && home === textAt(pull, 'head', 'repo', 'full_name'),
        texts: isOfWriter,
      },
    },
  ];
}

function stateOf(pull: unknown): CodeState {
  if (at(pull, 'merged') === true) return 'merged';
  if (at(pull, 'state') === 'closed') return 'closed';
  return at(pull, 'draft') === true ? 'draft' : 'open';
}

/** A push changes a branch and adds commits; only people who may write in the repository can push. */
function pushed(provider: Provider, repository: string, payload: unknown): ItemNews[] {
  const ref = textAt(payload, 'ref') ?? '';
  if (!ref.startsWith('refs/heads/')) return [];
  const name = ref.slice('refs/heads/'.length);
  const isDefault = name === textAt(payload, 'repository', 'default_branch');
  const headSha = shaAt(payload, 'after');
  const trusted = { branch: true, texts: true };
  const pushedAt = instantAt(payload, 'repository', 'pushed_at');
  const branch: ItemNews = {
    kind: 'branch',
    url: branchAddress(provider, repository, name),
    title: name,
    state: headSha === null ? 'closed' : 'open',
    headSha,
    author: textAt(payload, 'pusher', 'name') ?? textAt(payload, 'pusher', 'login'),
    ...(pushedAt ? { at: pushedAt, order: null } : orderOfPush(payload)),
    branch: name,
    texts: [],
    trusted,
  };
  const commits = listAt(payload, 'commits')
    .slice(-MOST_COMMITS)
    .map((commit): ItemNews => {
      const message = textAt(commit, 'message') ?? '';
      return {
        kind: 'commit',
        url: textAt(commit, 'url') ?? '',
        title: firstLine(message),
        state: isDefault ? 'merged' : 'open',
        headSha: shaAt(commit, 'id'),
        author: textAt(commit, 'author', 'username') ?? textAt(commit, 'author', 'name'),
        at: null,
        order: null,
        branch: null,
        texts: [message],
        trusted,
      };
    });
  return [branch, ...commits];
}

/**
 * The events about checks. The suite of a check run stays pending until the suite itself is complete: the runs of a suite
 * are created one after the other, and the first one that passes would otherwise look like the end of all of them.
 */
const CHECKS: ReadonlyMap<string, (payload: unknown) => CheckNews[]> = new Map(
  Object.entries<(payload: unknown) => CheckNews[]>({
    check_run: (payload) => {
      const run = at(payload, 'check_run');
      const suite = suiteOf(at(run, 'check_suite'), instantAt(run, 'started_at'));
      // A suite is of one app. Workflows for a push and for its pull request have suites of their own, with runs of one name.
      const of = idAt(run, 'check_suite', 'id') ?? idAt(run, 'app', 'id');
      const name = checkName('run', of, textAt(run, 'name'));
      const time = instantAt(run, 'completed_at') ?? instantAt(run, 'started_at');
      return [
        ...concluded(run, shaAt(run, 'head_sha'), name, time),
        ...suite.filter(({ state }) => state === 'pending'),
      ];
    },
    check_suite: (payload) => suiteOf(at(payload, 'check_suite')),
    workflow_run: (payload) => {
      const run = at(payload, 'workflow_run');
      const name = checkName(
        'workflow',
        idAt(run, 'workflow_id') ?? textAt(run, 'path'),
        textAt(run, 'event'),
      );
      return concluded(run, shaAt(run, 'head_sha'), name, instantAt(run, 'updated_at'));
    },
    status: (payload) => {
      const sha = shaAt(payload, 'sha');
      if (sha === null) return [];
      return [
        {
          sha,
          name: checkName('status', textAt(payload, 'context')),
          state: STATUSES.get(textAt(payload, 'state') ?? '') ?? 'failing',
          at: instantAt(payload, 'updated_at'),
        },
      ];
    },
  }),
);

function suiteOf(suite: unknown, time = instantAt(suite, 'updated_at')): CheckNews[] {
  return concluded(suite, shaAt(suite, 'head_sha'), checkName('suite', idAt(suite, 'id')), time);
}

function concluded(run: unknown, sha: string | null, name: string, time: Date | null): CheckNews[] {
  if (sha === null) return [];
  const conclusion = textAt(run, 'conclusion');
  const isOver = at(run, 'status') === 'completed' && conclusion !== null;
  return [{ sha, name, state: isOver ? (CONCLUSIONS.get(conclusion) ?? 'failing') : 'pending', at: time }];
}
