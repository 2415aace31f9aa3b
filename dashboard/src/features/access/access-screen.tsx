import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { AccessMatrix } from '../../api/types';
import { buttonClass } from '../../parts/button';
import { Choice } from '../../parts/choice';
import { Empty } from '../../parts/empty';
import { FilterBar, Page } from '../../parts/page';
import { Loaded } from '../../parts/loaded';
import { accessMatrixQuery } from '../../shared/mcp/queries';
import { AccessEditor } from './access-editor';
import styles from './access.module.css';

interface AccessScreenProps {
  /** The server that the matrix is narrowed to; it lives in the query string. */
  server: string | undefined;
  onServer: (server: string | undefined) => void;
}

/** Which agent has which server's tools. */
export function AccessScreen({ server, onServer }: AccessScreenProps) {
  const matrix = useQuery(accessMatrixQuery);
  return (
    <Page
      title="Access"
      lede="Which agent has which server’s tools, and which calls a person approves first. A change takes effect at the agent’s next call."
    >
      <Loaded query={matrix} what="The access">
        {(data) => {
          if (data.servers.length === 0) return <NoServers />;
          if (data.agents.length === 0) return <NoAgents />;
          return (
            <>
              <FilterBar
                end={
                  <span className={styles.help}>
                    Arrow keys move, <kbd>Enter</kbd> opens the tools, <kbd>Space</kbd> grants or takes away
                  </span>
                }
              >
                <Choice
                  label="Server"
                  value={server}
                  any={`All ${data.servers.length} servers`}
                  options={data.servers.map(({ id, name }) => [id, name] as const)}
                  onChange={onServer}
                />
              </FilterBar>
              <AccessEditor matrix={data} servers={shownServers(data, server)} />
            </>
          );
        }}
      </Loaded>
    </Page>
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
