import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { CatalogEntryDetail, Server } from '../../../api/types';
import { Card, Fact, Facts } from '../../../parts/card';
import { classes } from '../../../parts/classes';
import { Icon } from '../../../parts/icon';
import { Loaded, Missing, Notice } from '../../../parts/notice';
import { Page } from '../../../parts/page';
import { catalogEntryQuery, serversQuery } from '../../../shared/mcp/queries';
import { EntryTags, reasonHere } from '../entries';
import { GrantStep, VerifyStep } from './last-steps';
import { VariablesStep } from './variables-step';
import styles from './wizard.module.css';

function Steps({ children }: { children: ReactNode }) {
  return <ol className={styles.steps}>{children}</ol>;
}

interface StepProps {
  number: number;
  /** The step that is being done. */
  at: number;
  title: string;
  /** The line that a done step folds to. */
  done?: string;
  /** What the step will do, until it is reached. */
  later?: string;
  children?: ReactNode;
}

/** One step: open while it is done, one line before and after. */
function Step({ number, at, title, done, later, children }: StepProps) {
  const state = number < at ? 'done' : number === at ? 'on' : 'later';
  return (
    <li className={styles.step} aria-current={state === 'on' ? 'step' : undefined}>
      <span className={classes(styles.number, styles[state])}>
        {state === 'done' ? (
          <>
            <Icon name="check" />
            <span className="sr-only">Done</span>
          </>
        ) : (
          number
        )}
      </span>
      <div className={styles.content}>
        <h2>{title}</h2>
        {state === 'on' && children}
        {state === 'done' && <p className="soft">{done}</p>}
        {state === 'later' && <p className="soft">{later}</p>}
      </div>
    </li>
  );
}

/** What an entry is: its exact package or address, who publishes it, under which licence. */
function EntryFacts({ entry }: { entry: CatalogEntryDetail }) {
  return (
    <Card title="What it is">
      <div className="stack">
        <EntryTags entry={entry} />
        <Facts>
          <Fact name="Version">{entry.version}</Fact>
          <Source entry={entry} />
          <Fact name="Publisher">{entry.publisher ?? 'Unknown'}</Fact>
          <Fact name="Licence">{entry.license ?? 'Unknown'}</Fact>
          <Fact name="Verified">{entry.verified ? `By ${entry.verifiedBy ?? 'the catalogue'}` : 'No'}</Fact>
          {entry.runtimeVersion && <Fact name="Needs">{`${entry.runtime} ${entry.runtimeVersion}`}</Fact>}
          <Fact name="Processes">
            {entry.manifest.sharing === 'agent' ? 'One for each agent' : 'One for all agents'}
          </Fact>
          {entry.homepage && (
            <Fact name="Homepage">
              <a className="link" href={entry.homepage} target="_blank" rel="noopener noreferrer nofollow">
                {hostOf(entry.homepage)}
              </a>
            </Fact>
          )}
        </Facts>
      </div>
    </Card>
  );
}

function Source({ entry: { manifest } }: { entry: CatalogEntryDetail }) {
  if ('url' in manifest)
    return (
      <Fact name="Address">
        <code>{manifest.url}</code>
      </Fact>
    );
  const { name, integrity } = manifest.package;
  return (
    <>
      {name && (
        <Fact name="Package">
          <code>{name}</code>
        </Fact>
      )}
      {integrity && (
        <Fact name="Integrity">
          <code title={integrity}>{shortened(integrity)}</code>
        </Fact>
      )}
      <Fact name="Install scripts">{manifest.runInstallScripts ? 'Run at installation' : 'Never run'}</Fact>
    </>
  );
}

function shortened(integrity: string): string {
  return integrity.length > 30 ? `${integrity.slice(0, 15)}…${integrity.slice(-10)}` : integrity;
}

function hostOf(address: string): string {
  return URL.canParse(address) ? new URL(address).host : address;
}

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
