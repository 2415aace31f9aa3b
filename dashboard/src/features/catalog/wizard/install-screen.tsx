import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { CatalogEntryDetail, Server } from '../../../api/types';
import { Notice } from '../../../parts/notice';
import { Page } from '../../../parts/page';
import { Loaded } from '../../../parts/loaded';
import { Missing } from '../../../parts/missing';
import { catalogEntryQuery, serversQuery } from '../../../shared/mcp/queries';
import { reasonHere } from '../reason-here';
import { EntryFacts } from './entry-facts';
import { GrantStep } from './grant-step';
import { Step, Steps } from './steps';
import { VariablesStep } from './variables-step';
import { VerifyStep } from './verify-step';
import styles from './wizard.module.css';

interface InstallScreenProps {
  id: string;
  /** The server that this page has installed; it is part of the address, so that the steps go on after a reload. */
  serverId: string | undefined;
  onInstalled: (serverId: string) => void;
  onDone: (serverId: string) => void;
}

/** What an entry is, and its installation in four steps on one page. Nothing is granted before the last one. */
export function InstallScreen({ id, ...steps }: InstallScreenProps) {
  const entry = useQuery(catalogEntryQuery(id));
  return (
    <Loaded
      query={entry}
      what="The entry"
      missing={<Missing title={`The catalogue has no entry ${id}`} to="/catalog" label="The catalogue" />}
    >
      {(detail) => (
        <Page title={detail.name} lede={detail.description}>
          <div className={styles.split}>
            <div className="stack">
              {!detail.installable && steps.serverId === undefined ? (
                <Notice tone="warning" title="It cannot be installed here">
                  <p>{reasonHere(detail)}</p>
                </Notice>
              ) : (
                <InstallSteps entry={detail} {...steps} />
              )}
            </div>
            <EntryFacts entry={detail} />
          </div>
        </Page>
      )}
    </Loaded>
  );
}

function InstallSteps({
  entry,
  serverId,
  onInstalled,
  onDone,
}: Omit<InstallScreenProps, 'id'> & { entry: CatalogEntryDetail }) {
  const servers = useQuery(serversQuery).data ?? [];
  const server = servers.find(({ id }) => id === serverId);
  const verified = server?.lastVerification?.status === 'ok';
  const step = serverId === undefined ? 1 : verified ? 4 : 3;
  const remote = entry.transport !== 'stdio';
  const others = servers.filter(({ id, catalogId }) => catalogId === entry.id && id !== serverId);
  return (
    <>
      {serverId === undefined && others.length > 0 && <InstalledAlready servers={others} />}
      <Steps>
        <Step number={1} at={step} title="Variables" done={variablesSet(server)}>
          <VariablesStep entry={entry} onInstalled={onInstalled} />
        </Step>
        <Step
          number={2}
          at={step}
          title="Install"
          done={
            server
              ? `Installed as ${server.name}, version ${server.catalogVersion}, granted to no agent.`
              : 'Installed.'
          }
          later={
            remote
              ? 'Stores the server, granted to no agent. Nothing is downloaded.'
              : 'Fetches the package, checks its integrity and stores the server, granted to no agent. Takes up to 2 minutes.'
          }
        />
        <Step
          number={3}
          at={step}
          title="Verify"
          done={server?.lastVerification?.details ?? 'Verified.'}
          later={`${remote ? 'Connects to the server' : 'Starts the server'}, greets it and lists its tools.`}
        >
          {serverId !== undefined && (
            <VerifyStep id={serverId} entry={entry} onSkip={() => onDone(serverId)} />
          )}
        </Step>
        <Step
          number={4}
          at={step}
          title="Grant"
          later="Choose the agents that get its tools, or do it later."
        >
          {serverId !== undefined && <GrantStep id={serverId} onDone={() => onDone(serverId)} />}
        </Step>
      </Steps>
    </>
  );
}

function variablesSet(server: Server | undefined): string {
  const names = server?.configuredEnv ?? [];
  if (names.length === 0) return 'No values given.';
  return names.length === 1 ? `${names[0]} is set.` : `${names.join(', ')} are set.`;
}

function InstalledAlready({ servers }: { servers: readonly Server[] }) {
  return (
    <Notice
      title={
        servers.length === 1 ? 'It is installed already' : `It is installed ${servers.length} times already`
      }
    >
      <p>
        {servers.map(({ id, name }, index) => (
          <span key={id}>
            {index > 0 && ', '}
            <Link to="/servers/$id" params={{ id }} className="link">
              {name}
            </Link>
          </span>
        ))}
        . Installing it again makes another server with values of its own.
      </p>
    </Notice>
  );
}
