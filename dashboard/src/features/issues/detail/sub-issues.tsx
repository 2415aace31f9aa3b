import { useMutation, useQueries, useQuery, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { type KeyboardEvent, useRef, useState } from 'react';
import { api } from '../../../api/client';
import type { FoundIssue } from '../../../api/lists';
import type { Issue, ListedIssue } from '../../../api/types';
import { Button, IconButton } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { sayNumber } from '../../../parts/count';
import { Icon } from '../../../parts/icon';
import { later } from '../../../parts/later';
import { StatusIcon, SubIssueCount } from '../../../parts/status';
import { announce, announceRefusal } from '../../../parts/toasts';
import { Who } from '../../../parts/who';
import { refreshIssues } from '../board/board-data';
import { BlockerChooser } from '../commands/blocker-chooser';
import { childrenQuery, issueQuery } from '../queries';
import styles from './sub-issues.module.css';

const CreateIssue = later(async () => (await import('../create-issue')).CreateIssue);

/** The issue that this one is a part of, above its title. */
export function ParentCrumb({ issue: { parentId } }: { issue: Issue }) {
  const parent = useQuery({ ...issueQuery(parentId ?? ''), enabled: parentId !== null }).data;
  if (parentId === null || parent === undefined) return null;
  return (
    <nav aria-label="Parent" className={styles.crumb}>
      <Link to="/i/$key" params={{ key: parent.key }}>
        <StatusIcon status={parent.status} />
        <span className={styles.key}>{parent.key}</span>
        <span className="clip">{parent.title}</span>
      </Link>
      <Icon name="right" small />
    </nav>
  );
}

/** The sub-issues of an issue: how many are finished, and the tree below it, which opens branch by branch. */
export function SubIssues({ issue, editable }: { issue: Issue; editable: boolean }) {
  const [dialog, setDialog] = useState<'new' | 'existing' | null>(null);
  const adopt = useAdoption(issue);
  const { total } = issue.children;
  if (total === 0 && !editable) return null;
  const close = () => setDialog(null);
  return (
    <Card
      title="Sub-issues"
      count={total}
      flush
      actions={
        editable && (
          <>
            <Button look="quiet" small icon="link" onClick={() => setDialog('existing')}>
              Existing
              <span className="sr-only"> issue as a sub-issue</span>
            </Button>
            <Button look="quiet" small icon="plus" onClick={() => setDialog('new')}>
              New
              <span className="sr-only"> sub-issue</span>
            </Button>
          </>
        )
      }
    >
      {total === 0 ? (
        <p className={styles.none}>This issue has no parts.</p>
      ) : (
        <>
          <Progress {...issue.children} />
          <Tree issue={issue} />
        </>
      )}
      {dialog === 'new' && <CreateIssue project={issue.key.split('-')[0]!} parent={issue} onClose={close} />}
      <BlockerChooser
        label={`Make an issue a sub-issue of ${issue.key}`}
        projectId={issue.projectId}
        beside={issue.key}
        except={[issue.id]}
        finished
        open={dialog === 'existing'}
        onClose={close}
        onChoose={(child) => adopt.mutate(child)}
      />
    </Card>
  );
}

/** Makes an issue that exists a part of this one. */
function useAdoption({ id, key }: Issue) {
  const client = useQueryClient();
  return useMutation({
    mutationFn: (child: FoundIssue) =>
      api.PUT('/api/projects/issues/{issueId}', {
        params: { path: { issueId: child.id } },
        body: { parentId: id },
      }),
    onSuccess: (_answer, child) => announce(`${child.key} is a sub-issue of ${key}`),
    onError: (error, child) => announceRefusal(`${child.key} was not changed`, error),
    onSettled: (_data, _error, child) => refreshIssues(client, [id, child.id]),
  });
}

function Progress({ total, resolved }: Issue['children']) {
  const words = `${sayNumber(resolved)} of ${sayNumber(total)} finished`;
  return (
    <div className={styles.progress}>
      <div
        className={styles.bar}
        role="progressbar"
        aria-label="Finished sub-issues"
        aria-valuemin={0}
        aria-valuemax={total}
        aria-valuenow={resolved}
        aria-valuetext={words}
      >
        <span style={{ width: `${(100 * resolved) / total}%` }} />
      </div>
      <span className="soft small">{words}</span>
    </div>
  );
}

/** An issue of the tree that is on screen. */
interface Branch {
  issue: ListedIssue;
  level: number;
  parentId: string;
  /** Its place among its siblings, and how many there are. */
  place: number;
  of: number;
  isOpen: boolean;
}

/** The branches on screen, from the top down. */
function branchesOf(
  parentId: string,
  opened: ReadonlySet<string>,
  childrenOf: ReadonlyMap<string, readonly ListedIssue[]>,
  level = 1,
): Branch[] {
  const siblings = childrenOf.get(parentId) ?? [];
  return siblings.flatMap((issue, index) => {
    const isOpen = opened.has(issue.id);
    const branch = { issue, level, parentId, place: index + 1, of: siblings.length, isOpen };
    return [branch, ...(isOpen ? branchesOf(issue.id, opened, childrenOf, level + 1) : [])];
  });
}

/** A tree as the pattern of ARIA describes it: one branch is reached by Tab, arrows move, open and close. */
function Tree({ issue }: { issue: Issue }) {
  const [opened, setOpened] = useState<ReadonlySet<string>>(new Set());
  const [current, setCurrent] = useState<string | null>(null);
  const list = useRef<HTMLUListElement>(null);
  const navigate = useNavigate();
  const ids = [issue.id, ...opened];
  const read = useQueries({ queries: ids.map(childrenQuery) });
  const childrenOf = new Map(ids.map((id, index) => [id, read[index]?.data ?? []] as const));
  const branches = branchesOf(issue.id, opened, childrenOf);
  const reached = branches.some((branch) => branch.issue.id === current) ? current : branches[0]?.issue.id;
  const go = (id: string | undefined) => {
    if (id === undefined) return;
    setCurrent(id);
    list.current?.querySelector<HTMLElement>(`[data-branch="${id}"]`)?.focus();
  };
  const toggle = ({ issue: { id }, isOpen }: Branch) =>
    setOpened(isOpen ? new Set([...opened].filter((one) => one !== id)) : new Set([...opened, id]));
  const onKeyDown = (event: KeyboardEvent, branch: Branch, at: number) => {
    // The link and the button in a branch have keys of their own.
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return;
    const canOpen = branch.issue.children.total > 0;
    const keys: Record<string, () => void> = {
      ArrowDown: () => go(branches[at + 1]?.issue.id),
      ArrowUp: () => go(branches[at - 1]?.issue.id),
      Home: () => go(branches[0]?.issue.id),
      End: () => go(branches.at(-1)?.issue.id),
      ArrowRight: () => (canOpen && !branch.isOpen ? toggle(branch) : go(firstBelow(branches, at))),
      ArrowLeft: () => (branch.isOpen ? toggle(branch) : go(branch.level > 1 ? branch.parentId : undefined)),
      Enter: () => void navigate({ to: '/i/$key', params: { key: branch.issue.key } }),
    };
    const act = keys[event.key];
    if (act === undefined) return;
    event.preventDefault();
    event.stopPropagation();
    act();
  };
  return (
    <ul role="tree" aria-label={`Sub-issues of ${issue.key}`} className={styles.tree} ref={list}>
      {branches.map((branch, at) => (
        <li
          key={branch.issue.id}
          role="treeitem"
          data-branch={branch.issue.id}
          aria-label={`${branch.issue.key} ${branch.issue.title}`}
          aria-level={branch.level}
          aria-posinset={branch.place}
          aria-setsize={branch.of}
          aria-expanded={branch.issue.children.total > 0 ? branch.isOpen : undefined}
          tabIndex={branch.issue.id === reached ? 0 : -1}
          style={{ paddingLeft: `calc(var(--s-2) + ${branch.level - 1} * var(--indent))` }}
          onFocus={() => setCurrent(branch.issue.id)}
          onKeyDown={(event) => onKeyDown(event, branch, at)}
        >
          <BranchRow branch={branch} onToggle={() => toggle(branch)} />
        </li>
      ))}
    </ul>
  );
}

/** The first branch below the one at a place, where it is open and they have come. */
function firstBelow(branches: readonly Branch[], at: number): string | undefined {
  const next = branches[at + 1];
  return next && next.level > branches[at]!.level ? next.issue.id : undefined;
}

function BranchRow({ branch: { issue, isOpen }, onToggle }: { branch: Branch; onToggle: () => void }) {
  return (
    <>
      <span className={styles.toggle}>
        {issue.children.total > 0 && (
          <IconButton
            icon={isOpen ? 'down' : 'right'}
            small
            tabIndex={-1}
            label={`${isOpen ? 'Close' : 'Open'} ${issue.key}`}
            onClick={onToggle}
          />
        )}
      </span>
      <StatusIcon status={issue.status} />
      <span className={styles.key}>{issue.key}</span>
      <Link to="/i/$key" params={{ key: issue.key }} tabIndex={-1} className={styles.title}>
        {issue.title}
      </Link>
      <span className={styles.end}>
        <SubIssueCount {...issue.children} />
        <Who party={issue.assignee} />
      </span>
    </>
  );
}
