import { useQuery } from '@tanstack/react-query';
import { useCallback, useMemo, useState } from 'react';
import type { AccessMatrix, CredentialSet, Profile, ServerTool } from '../../api/types';
import { IconButton } from '../../parts/button';
import { Panel } from '../../parts/card';
import { SelectField } from '../../parts/field';
import { MarkedText } from '../../parts/marked-text';
import { Empty, Loaded } from '../../parts/notice';
import { type Effective, extentWords, type Given, indexOf } from '../../shared/mcp/effective-access';
import { credentialSetsQuery, toolsQuery } from '../../shared/mcp/queries';
import styles from './access.module.css';
import { ChangesBar } from './changes-bar';
import { Matrix } from './matrix';
import { ApprovalChoice, ExtentChoice, ToolChoices } from './grant-choices';
import {
  edited,
  type Edits,
  effectOf,
  gives,
  type Grant,
  grantAt,
  noEdits,
  type Place,
  type Row,
  rowsOf,
  toggled,
  without,
} from './grants';

interface SourcesProps {
  grant: Grant;
  given: readonly Given[];
  effect: Effective | null;
  total: number | null;
}

/** What an agent has in all, and what each of its profiles gives. */
function Sources({ grant, given, effect, total }: SourcesProps) {
  return (
    <section className={styles.sources} aria-label="Where it comes from">
      <h3>
        {effect === null
          ? 'Has nothing: it is refused'
          : `Has ${extentWords(effect.tools, total).toLowerCase()}, with the credentials ${effect.credentialSet}`}
      </h3>
      <ul>
        {gives(grant) && (
          <li>
            <b>Its own grant</b>:{' '}
            {extentWords(grant.has === 'all' ? null : (grant.has as readonly string[]), total).toLowerCase()}
          </li>
        )}
        {given.map(({ profile, entry }) => (
          <li key={profile}>
            Profile{' '}
            <b>
              <MarkedText text={profile} />
            </b>
            : {extentWords(entry.tools, total).toLowerCase()}
            {entry.ask !== null && ', asks first'}
            {entry.credentialSet !== 'default' && `, credentials ${entry.credentialSet}`}
          </li>
        ))}
      </ul>
      <p className="soft small">
        All of them add up. What a profile gives goes away here only by a refusal, or by a change of the
        profile.
      </p>
    </section>
  );
}

interface SetChoiceProps {
  grant: Grant;
  sets: readonly CredentialSet[];
  onChange: (grant: Grant) => void;
}

const troubles: Record<string, string> = {
  missing_variables: 'a value is missing',
  sign_in_needed: 'sign-in needed',
  error: 'error',
  revoked: 'revoked',
};

/** With which credentials the server is called. A choice only where the server has more than one set. */
function SetChoice({ grant, sets, onChange }: SetChoiceProps) {
  return (
    <SelectField
      label="Credential set"
      hint="The server is called with these credentials. The set of a grant wins over those of profiles."
      value={grant.set}
      onChange={({ target }) => onChange({ ...grant, set: target.value })}
    >
      {sets.map(({ name, state }) => (
        <option key={name} value={name}>
          {troubles[state] ? `${name} (${troubles[state]})` : name}
        </option>
      ))}
    </SelectField>
  );
}

interface AccessPanelProps {
  row: Row;
  server: AccessMatrix['servers'][number];
  grant: Grant;
  /** What profiles give an agent. */
  given: readonly Given[];
  onChange: (grant: Grant) => void;
  onClose: () => void;
}

/** How much of a server an agent or a profile has. Changes are edits of the matrix, not saved yet. */
function AccessPanel({ row, server, grant, given, onChange, onClose }: AccessPanelProps) {
  const tools = useQuery(toolsQuery(server.id));
  const sets = useQuery(credentialSetsQuery(server.id)).data ?? [];
  const title = `${row.name} and ${server.name}`;
  return (
    <Panel
      label={title}
      onClose={onClose}
      header={
        <>
          <h2 className="clip" title={title}>
            {title}
          </h2>
          <IconButton icon="close" label="Close" onClick={onClose} />
        </>
      }
    >
      <Loaded query={tools} what="The tools">
        {(all) => {
          const choice = { of: row.of, grant, given, tools: offered(all, grant), onChange };
          return (
            <div className="stack">
              {given.length > 0 && (
                <Sources grant={grant} given={given} effect={effectOf(grant, given)} total={server.tools} />
              )}
              <ExtentChoice {...choice} />
              {gives(grant) && (
                <>
                  {sets.length > 1 && <SetChoice grant={grant} sets={sets} onChange={onChange} />}
                  <ApprovalChoice {...choice} />
                  <ToolChoices {...choice} />
                </>
              )}
              <p className="soft small">
                Nothing changes until you save. What is left out is refused at the next call.
              </p>
            </div>
          );
        }}
      </Loaded>
    </Panel>
  );
}

/** The tools that the server lists, and those that it lists no longer but the agent has. */
function offered(tools: readonly ServerTool[], { has }: Grant): ServerTool[] {
  return tools.filter(
    ({ name, state }) => state !== 'removed' || (typeof has !== 'string' && has.includes(name)),
  );
}

interface AccessEditorProps {
  matrix: AccessMatrix;
  profiles: readonly Profile[];
  servers: AccessMatrix['servers'];
  /** Narrows the rows by name. */
  words: string;
  onProfile: (id: string) => void;
}

/** The matrix with its unsaved edits, and the panel of the cell that is open. */
export function AccessEditor({ matrix, profiles, servers, words, onProfile }: AccessEditorProps) {
  const [edits, setEdits] = useState<Edits>(noEdits);
  const [open, setOpen] = useState<Place | null>(null);
  const index = useMemo(() => indexOf(matrix, profiles), [matrix, profiles]);
  const rows = useMemo(() => rowsOf(matrix, profiles, words), [matrix, profiles, words]);
  const onOpen = useCallback((place: Place) => setOpen(place), []);
  const change = (place: Place, grant: Grant) => setEdits(edited(index, edits, place, grant));
  const givenAt = ({ of, id, serverId }: Place) => (of === 'agent' ? index.givenTo(id, serverId) : []);
  const row = rowsOf(matrix, profiles, '').find(({ of, id }) => of === open?.of && id === open.id);
  const server = matrix.servers.find(({ id }) => id === open?.serverId);
  return (
    <div className={styles.editor}>
      {rows.length === 0 ? (
        <Empty icon="filter" title="Nothing matches">
          No profile and no agent has this name.
        </Empty>
      ) : (
        <Matrix
          rows={rows}
          servers={servers}
          index={index}
          edits={edits}
          open={open}
          onOpen={onOpen}
          onToggle={(place) =>
            change(place, toggled(grantAt(index, edits, place), givenAt(place).length > 0))
          }
          onProfile={onProfile}
        />
      )}
      {edits.size > 0 && (
        <ChangesBar
          matrix={matrix}
          index={index}
          edits={edits}
          onDiscard={() => setEdits(noEdits)}
          onSaved={(saved) => setEdits((before) => without(before, saved))}
        />
      )}
      {open && row && server && (
        <AccessPanel
          key={`${open.of} ${open.id} ${open.serverId}`}
          row={row}
          server={server}
          grant={grantAt(index, edits, open)}
          given={givenAt(open)}
          onClose={() => setOpen(null)}
          onChange={(grant) => change(open, grant)}
        />
      )}
    </div>
  );
}
