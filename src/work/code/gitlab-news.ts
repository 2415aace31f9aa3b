import { branchAddress } from './code-addresses-and-keys.js';
import {
  at,
  type CheckNews,
  checkName,
  type CodeNews,
  firstLine,
  instantAt,
  type ItemNews,
  listAt,
  MOST_COMMITS,
  orderOfPush,
  shaAt,
  textAt,
} from './code-news.js';
import type { CodeState } from './code.entity.js';

/** The states of a pipeline that ended; a manual one waits for a person, and all others still run. */
const STATUSES: ReadonlyMap<string, CheckNews['state']> = new Map([
  ['success', 'passing'],
  ['skipped', 'passing'],
  ['failed', 'failing'],
  ['canceled', 'failing'],
]);

/** Returns what a delivery of GitLab reports. The payload says which event it is. */
export function newsOfGitLab(payload: unknown): CodeNews | null {
  const repository = textAt(payload, 'project', 'web_url');
  if (repository === null) return null;
  switch (at(payload, 'object_kind')) {
    case 'merge_request':
      return { repository, items: mergeRequest(payload), checks: [] };
    case 'push':
      return { repository, items: pushed(repository, payload), checks: [] };
    case 'pipeline':
      return { repository, items: [], checks: pipeline(payload) };
    default:
      return null;
  }
}

/** Only people who may push to a project can open a merge request from one of its branches. */
function mergeRequest(payload: unknown): ItemNews[] {
  const merge = at(payload, 'object_attributes');
  const url = textAt(merge, 'url');
  if (url === null) return [];
  const source = at(merge, 'source_project_id');
  const isOfWriter = source !== undefined && source === at(merge, 'target_project_id');
  return [
    {
      kind: 'pull_request',
      url,
      title: textAt(merge, 'title') ?? url,
      state: stateOf(merge),
      headSha: shaAt(merge, 'last_commit', 'id'),
      // The user of a delivery is the one who caused it, which is the author of a merge request that was opened.
      author: at(merge, 'action') === 'open' ? textAt(payload, 'user', 'username') : null,
      at: instantAt(merge, 'updated_at'),
      order: null,
      branch: textAt(merge, 'source_branch'),
      texts: [textAt(merge, 'title') ?? '', textAt(merge, 'description') ?? ''],
      trusted: { branch: isOfWriter, texts: isOfWriter },
    },
  ];
}

function stateOf(merge: unknown): CodeState {
  const state = at(merge, 'state');
  if (state === 'merged' || state === 'closed') return state;
  return at(merge, 'draft') === true || at(merge, 'work_in_progress') === true ? 'draft' : 'open';
}

function pushed(repository: string, payload: unknown): ItemNews[] {
  const ref = textAt(payload, 'ref') ?? '';
  if (!ref.startsWith('refs/heads/')) return [];
  const name = ref.slice('refs/heads/'.length);
  const isDefault = name === textAt(payload, 'project', 'default_branch');
  const headSha = shaAt(payload, 'after');
  const trusted = { branch: true, texts: true };
  const branch: ItemNews = {
    kind: 'branch',
    url: branchAddress('gitlab', repository, name),
    title: name,
    state: headSha === null ? 'closed' : 'open',
    headSha,
    author: textAt(payload, 'user_username'),
    ...orderOfPush(payload),
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
        title: firstLine(textAt(commit, 'title') ?? message),
        state: isDefault ? 'merged' : 'open',
        headSha: shaAt(commit, 'id'),
        author: textAt(commit, 'author', 'name'),
        at: null,
        order: null,
        branch: null,
        texts: [message],
        trusted,
      };
    });
  return [branch, ...commits];
}

/** Pipelines of a branch and of its merge request are checks of their own; the newest of each counts. */
function pipeline(payload: unknown): CheckNews[] {
  const run = at(payload, 'object_attributes');
  const sha = shaAt(run, 'sha');
  if (sha === null) return [];
  const state = STATUSES.get(textAt(run, 'status') ?? '') ?? 'pending';
  const name = checkName('pipeline', textAt(run, 'source'));
  return [{ sha, name, state, at: latestOf(payload, state) }];
}

/**
 * Returns the latest time in a report of a pipeline. While it is retried, GitLab still says when it ended first: only its new
 * jobs are later, and without them the report of a pipeline that runs although it has ended is the later one.
 */
function latestOf(payload: unknown, state: CheckNews['state']): Date | null {
  const run = at(payload, 'object_attributes');
  const ended = instantAt(run, 'finished_at');
  const jobs = listAt(payload, 'builds').flatMap((job) => [
    instantAt(job, 'created_at'),
    instantAt(job, 'started_at'),
    instantAt(job, 'finished_at'),
  ]);
  const latest = [ended, instantAt(run, 'created_at'), ...jobs].reduce(
    (late, time) => (time !== null && (late === null || time > late) ? time : late),
    null,
  );
  const runsAgain = state === 'pending' && ended !== null && latest?.getTime() === ended.getTime();
  return runsAgain ? new Date(ended.getTime() + 1) : latest;
}
