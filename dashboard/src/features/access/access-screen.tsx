import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import type { AccessMatrix, Profile } from '../../api/types';
import { useFilterField } from '../../keyboard/use-actions';
import { Button, buttonClass } from '../../parts/button';
import { countOf } from '../../parts/count';
import { Empty, Loaded } from '../../parts/notice';
import { Choice, inputClass } from '../../parts/field';
import { FilterBar, Page } from '../../parts/page';
import { accessMatrixQuery, profilesQuery } from '../../shared/mcp/queries';
import { AccessEditor } from './access-editor';
import styles from './access.module.css';
import { EditProfile } from './profiles/edit-profile';

/** What the matrix is narrowed to; it lives in the query string. */
export interface AccessFilter {
  server?: string | undefined;
  q?: string | undefined;
}

interface AccessScreenProps {
  filter: AccessFilter;
  onFilter: (filter: AccessFilter) => void;
}

/** The profile whose dialog is open: its id, or a new one. */
type Editing = { id: string | null } | null;

/** Which agent has which server’s tools, by grants and profiles. */
export function AccessScreen({ filter, onFilter }: AccessScreenProps) {
  const matrix = useQuery(accessMatrixQuery);
  const profiles = useQuery(profilesQuery);
  const [editing, setEditing] = useState<Editing>(null);
  return (
    <Page
      title="Access"
      lede="Which agent has which server’s tools, by grants and profiles, and which calls a person approves first. A change takes effect at the next call."
      actions={
        matrix.data &&
        matrix.data.servers.length > 0 && (
          <Button icon="plus" onClick={() => setEditing({ id: null })}>
            New profile
          </Button>
        )
      }
    >
      <Loaded query={matrix} what="The access">
        {(data) => (
          <Loaded query={profiles} what="The profiles">
            {(all) => {
              if (data.servers.length === 0) return <NoServers />;
              if (data.agents.length + all.length === 0) return <NoAgents />;
              return (
                <>
                  <Filters matrix={data} profiles={all} filter={filter} onFilter={onFilter} />
                  <AccessEditor
                    matrix={data}
                    profiles={all}
                    servers={shownServers(data, filter.server)}
                    words={filter.q ?? ''}
                    onProfile={(id) => setEditing({ id })}
                  />
                </>
              );
            }}
          </Loaded>
        )}
      </Loaded>
      {editing && matrix.data && (
        <EditProfile
          key={editing.id}
          profile={profiles.data?.find(({ id }) => id === editing.id) ?? null}
          agents={matrix.data.agents}
          onClose={() => setEditing(null)}
        />
      )}
    </Page>
  );
}

interface FiltersProps extends AccessScreenProps {
  matrix: AccessMatrix;
  profiles: readonly Profile[];
}

function Filters({ matrix: { servers, agents }, profiles, filter, onFilter }: FiltersProps) {
  const field = useFilterField('Find a profile or agent');
  return (
    <FilterBar
      end={
        <span className={styles.help}>
          Arrow keys move, <kbd>Enter</kbd> opens the tools, <kbd>Space</kbd> grants or takes away
        </span>
      }
    >
      <input
        className={`${inputClass} ${styles.find}`}
        type="search"
        {...field}
        aria-label="Find a profile or agent"
        placeholder={profiles.length === 0 ? 'Find an agent' : 'Find a profile or agent'}
        defaultValue={filter.q ?? ''}
        onChange={(event) => onFilter({ ...filter, q: event.target.value || undefined })}
      />
      <Choice
        label="Server"
        value={filter.server}
        any={`All ${servers.length} servers`}
        options={servers.map(({ id, name }) => [id, name] as const)}
        onChange={(server) => onFilter({ ...filter, server })}
      />
      <span className="soft small">
        {countOf(agents.length, 'agent')}
        {profiles.length > 0 && `, ${countOf(profiles.length, 'profile')}`}
      </span>
    </FilterBar>
  );
}

function shownServers({ servers }: AccessMatrix, server: string | undefined): AccessMatrix['servers'] {
  const chosen = servers.filter(({ id }) => id === server);
  return chosen.length === 0 ? servers : chosen;
}

function NoServers() {
  return (
    <Empty
      icon="server"
      title="No servers installed"
      actions={
        <Link to="/catalog" className={buttonClass()}>
          Install a server
        </Link>
      }
    >
      Agents have only the platform’s own tools. Once a server is installed, choose here which agents get it.
    </Empty>
  );
}

function NoAgents() {
  return (
    <Empty icon="agent" title="No agents yet">
      An agent is a program of yours that asks for work. Once there is one, choose here which tools it gets.
    </Empty>
  );
}
