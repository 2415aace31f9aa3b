import { useMutation } from '@tanstack/react-query';
import { useLayoutEffect, useRef } from 'react';
import type { AccessMatrix } from '../../api/types';
import { Button, Buttons } from '../../parts/button';
import { ProblemNotice } from '../../parts/notice';
import { announce } from '../../parts/toasts';
import { saveAccess, useServerRefresh } from '../../shared/mcp/queries';
import type { AccessIndex } from '../../shared/mcp/effective-access';
import styles from './access.module.css';
import { saveEntries } from './profiles/edit-profile';
import {
  editedProfiles,
  type Edits,
  type Extent,
  gives,
  type Grant,
  isSameList,
  requestsOf,
  savedGrant,
} from './grants';

/** An edit in words: who, what happens, and the server. */
interface Sentence {
  key: string;
  who: string;
  /** Stands between the two names. */
  verb: string;
  server: string;
  end: string;
}

type Words = Pick<Sentence, 'verb' | 'end'>;

/** What is the same in all sentences about one edit. */
interface Edit {
  before: Grant;
  after: Grant;
  tools: number | null;
  /** Whether profiles give the agent the server; a profile itself is given nothing. */
  isGiven: boolean;
  gets: 'gets' | 'gives';
}

/** The edits as sentences, in the order in which they were made. */
export function sentencesOf(matrix: AccessMatrix, index: AccessIndex, edits: Edits): Sentence[] {
  return [...edits].flatMap(([key, { grant: after, ...place }]) => {
    const rows = place.of === 'agent' ? matrix.agents : index.profiles;
    const row = rows.find(({ id }) => id === place.id);
    const server = matrix.servers.find(({ id }) => id === place.serverId);
    if (row === undefined || server === undefined) return [];
    const words = wordsOf({
      before: savedGrant(index, place),
      after,
      tools: server.tools,
      isGiven: place.of === 'agent' && index.givenTo(place.id, place.serverId).length > 0,
      gets: place.of === 'agent' ? 'gets' : 'gives',
    });
    return [{ key, who: row.name, server: server.name, ...words }];
  });
}

function wordsOf(edit: Edit): Words {
  const { before, after } = edit;
  if (after.has === 'refused') return { verb: 'is refused', end: ', whatever its profiles give.' };
  if (after.has === 'none') return nothingLeft(edit);
  if (isSameList(before.has, after.has)) return sameTools(edit);
  const { verb, end } = extentWords(edit, after.has);
  return { verb, end: `${end}${setEnd(edit)}${askEnd(before, after)}.` };
}

function nothingLeft({ before, isGiven, gets }: Edit): Words {
  if (gets === 'gives') return { verb: 'no longer gives', end: '.' };
  if (isGiven) return { verb: 'has', end: ' only by its profiles.' };
  if (before.has === 'refused') return { verb: 'is no longer refused', end: '.' };
  return { verb: 'loses', end: ' at its next call.' };
}

function extentWords({ before, tools, gets }: Edit, after: Exclude<Extent, 'none' | 'refused'>): Words {
  const had = gives(before) ? before.has : 'none';
  if (after === 'all') {
    const all = tools === null ? 'all tools of' : `all ${tools} tools of`;
    return { verb: had === 'none' ? `${gets} ${all}` : `is widened to ${all}`, end: '' };
  }
  const some = `${after.length}${tools === null ? '' : ` of ${tools}`} ${after.length === 1 && tools === null ? 'tool' : 'tools'} of`;
  if (had === 'none') return { verb: `${gets} ${some}`, end: '' };
  if (had === 'all') return { verb: `is narrowed to ${some}`, end: '' };
  return { verb: `${gets} other tools: ${some}`, end: difference(had as readonly string[], after) };
}

/** Names what comes and goes while that is short. */
function difference(before: readonly string[], after: readonly string[]): string {
  const added = after.filter((name) => !before.includes(name));
  const removed = before.filter((name) => !after.includes(name));
  if (added.length + removed.length > 4) return ` (${added.length} added, ${removed.length} removed)`;
  return ` (${[...added.map((name) => `+ ${name}`), ...removed.map((name) => `− ${name}`)].join(', ')})`;
}

/** A change of the credential set, of what is asked, or of both. */
function sameTools({ before, after }: Edit): Words {
  const isAsked = !isSameList(before.ask, after.ask) || before.approver !== after.approver;
  if (before.set === after.set) return askOnly(after);
  const end = isAsked ? askEnd(before, after) : '';
  return { verb: `uses the credentials ${after.set} of`, end: `${end}.` };
}

/** The credential set, where it is not the one that a reader expects. */
function setEnd({ before, after }: Edit): string {
  const expected = gives(before) ? before.set : 'default';
  return after.set === expected ? '' : ` with the credentials ${after.set}`;
}

/** A change of what is asked alone. */
function askOnly({ ask, approver }: Grant): Words {
  if (ask === null) return { verb: 'no longer asks a person before calls of', end: '.' };
  if (ask === 'writes')
    return { verb: `asks an ${approver} before each call of`, end: ' that may change something.' };
  return { verb: `asks an ${approver} before calls of ${countOf(ask)} of`, end: `${namesOf(ask)}.` };
}

/** What is asked from now on, behind a change of the tools. */
function askEnd(before: Grant, { ask, approver }: Grant): string {
  if (ask === null) return before.ask !== null && gives(before) ? ' and no longer asks a person' : '';
  if (ask === 'writes') return ` and asks an ${approver} before each call that may change something`;
  return ` and asks an ${approver} before calls of ${countOf(ask)}${namesOf(ask)}`;
}

const countOf = ({ length }: readonly string[]): string => (length === 1 ? '1 tool' : `${length} tools`);
const namesOf = (names: readonly string[]): string => (names.length > 4 ? '' : ` (${names.join(', ')})`);

interface ChangesBarProps {
  matrix: AccessMatrix;
  index: AccessIndex;
  edits: Edits;
  onDiscard: () => void;
  /** Called for each request that is saved, so that a later refusal keeps only the other edits. */
  onSaved: (saved: { serverId: string } | { profileId: string }) => void;
}

/** The edits as sentences, with one button that saves them: one request for each server, and one for each profile. */
export function ChangesBar({ matrix, index, edits, onDiscard, onSaved }: ChangesBarProps) {
  const refresh = useServerRefresh();
  const bar = useFocusBack();
  const save = useMutation({
    mutationFn: async () => {
      for (const profileId of editedProfiles(edits)) {
        await saveEntries(profileId, edits);
        await refresh();
        onSaved({ profileId });
      }
      for (const { serverId, entries } of requestsOf(edits)) {
        await saveAccess(serverId, entries);
        await refresh();
        onSaved({ serverId });
      }
      return edits.size;
    },
    onSuccess: (count) => announce(count === 1 ? '1 change is saved' : `${count} changes are saved`),
  });
  return (
    <section ref={bar} className={styles.changes} aria-label="Changes not saved yet">
      <div>
        {save.isError && <ProblemNotice title="These changes were not saved" error={save.error} />}
        <ul aria-live="polite">
          {sentencesOf(matrix, index, edits).map(({ key, who, verb, server, end }) => (
            <li key={key}>
              <b>{who}</b> {verb} <b>{server}</b>
              {end}
            </li>
          ))}
        </ul>
      </div>
      <Buttons>
        <Button onClick={onDiscard}>Discard</Button>
        <Button look="primary" busy={save.isPending} onClick={() => save.mutate()}>
          {edits.size === 1 ? 'Save 1 change' : `Save ${edits.size} changes`}
        </Button>
      </Buttons>
    </section>
  );
}

/** Gives the focus back to the cell that had it when the bar goes with its buttons. */
function useFocusBack() {
  const bar = useRef<HTMLElement>(null);
  useLayoutEffect(() => {
    const { current } = bar;
    return () => {
      if (!current?.contains(document.activeElement)) return;
      queueMicrotask(() => document.querySelector<HTMLElement>('[role=grid] [tabindex="0"]')?.focus());
    };
  }, []);
  return bar;
}
