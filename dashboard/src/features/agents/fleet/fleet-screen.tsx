import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import type { Fleet, FleetAgent } from '../../../api/types';
import { useActions, useFilterField } from '../../../keyboard/use-actions';
import { Button } from '../../../parts/button';
import { countOf, sayNumber } from '../../../parts/count';
import { Choice, inputClass } from '../../../parts/field';
import { Empty, Loaded } from '../../../parts/notice';
import { FilterBar, Page } from '../../../parts/page';
import { HaltButton } from '../../../session/halt/halt-button';
import { hasRole, useMe } from '../../../session/me';
import { costOf, shortNumber } from '../../../shared/usage/queries';
import { CreateAgent } from '../create-agent';
import { Stats } from '../figures';
import { fleetQuery } from '../queries';
import { BulkBar, useSelection } from './bulk-bar';
import { type FleetView, shownAgents, type Sort, type StateFilter, stateFilters } from './fleet-order';
import { FleetRows } from './fleet-rows';
import styles from './fleet-screen.module.css';

interface FleetScreenProps {
  view: FleetView;
  onView: (view: FleetView) => void;
}

/** All agents: how each is and why, what it does, what it has done today and for how much, and the brake for all of them. */
export function FleetScreen({ view, onView }: FleetScreenProps) {
  const fleet = useQuery(fleetQuery());
  const admin = hasRole(useMe(), 'Admin');
  const [creating, setCreating] = useState(false);
  const create = () => setCreating(true);
  useActions([
    {
      id: 'create-agent',
      name: 'New agent',
      icon: 'plus',
      group: 'Create',
      available: admin,
      perform: create,
    },
  ]);
  const newAgent = (
    <Button look="primary" icon="plus" onClick={create}>
      New agent
    </Button>
  );
  return (
    <Page
      title="Agents"
      actions={
        admin && (
          <>
            <HaltButton />
            {newAgent}
          </>
        )
      }
    >
      <Loaded query={fleet} what="The agents">
        {(data) =>
          data.agents.length === 0 ? (
            <NoAgents action={admin ? newAgent : null} />
          ) : (
            <>
              <Sums fleet={data} view={view} />
              <Listed agents={data.agents} view={view} onView={onView} admin={admin} />
            </>
          )
        }
      </Loaded>
      {creating && <Creating onClose={() => setCreating(false)} />}
    </Page>
  );
}

/** The sums of the service. Those that count agents narrow the list to them, and a second press ends that. */
function Sums({ fleet: { sums, agents }, view }: { fleet: Fleet; view: FleetView }) {
  const { usage } = sums;
  const asking = agents.filter(({ waiting }) => waiting > 0).length;
  const narrow = (count: number, state: StateFilter, words: string) => (
    <Link
      to="/agents"
      search={{ ...view, state: view.state === state ? undefined : state }}
      replace
      resetScroll={false}
      aria-current={view.state === state || undefined}
      aria-label={`${sayNumber(count)} ${words}`}
    >
      {sayNumber(count)}
    </Link>
  );
  return (
    <Stats
      label="All agents, today"
      short
      stats={[
        {
          label: 'Cost today',
          value: costOf(usage.costMicros),
          note: `${shortNumber(usage.inputTokens + usage.outputTokens)} tokens`,
        },
        {
          label: 'Turns today',
          value: shortNumber(usage.turns),
          note: `${countOf(sums.finished, 'issue')} finished`,
        },
        {
          label: 'At work',
          value: narrow(sums.atWork, 'at-work', 'at work'),
          note: `of ${countOf(sums.agents, 'agent')}`,
        },
        {
          label: 'Stopped',
          value: narrow(sums.stopped, 'stopped', 'stopped'),
          note: 'Get no work',
        },
        {
          label: 'Silent',
          value: narrow(sums.silent, 'silent', 'silent'),
          note: 'No heartbeat',
        },
        {
          label: 'Ask a person',
          value: narrow(sums.waiting, 'waiting', 'questions and approvals wait for a person'),
          note: asking === 0 ? 'Nothing is asked' : `Asked by ${countOf(asking, 'agent')}`,
        },
      ]}
    />
  );
}

type ListedProps = FleetScreenProps & { agents: readonly FleetAgent[]; admin: boolean };

function Listed({ agents, view, onView, admin }: ListedProps) {
  const selection = useSelection(admin);
  const shown = shownAgents(agents, view);
  const chosen = shown.filter(({ id }) => selection?.has(id));
  return (
    <>
      <Filters view={view} onView={onView} shown={shown.length} all={agents.length} />
      {shown.length === 0 ? (
        <Empty
          icon="filter"
          title="Nothing matches"
          actions={<Button onClick={() => onView({ sort: view.sort })}>Clear the filter</Button>}
        >
          No agent matches the filter; {countOf(agents.length, 'agent')} without it.
        </Empty>
      ) : (
        <FleetRows agents={shown} view={view} onView={onView} selection={selection} />
      )}
      {selection && chosen.length > 0 && <BulkBar agents={chosen} onChosen={selection.set} />}
    </>
  );
}

/** The orders that a phone offers, where no heads of columns stand above the cards. */
const orders: readonly (readonly [Sort, string])[] = [
  ['-cost', 'Most expensive first'],
  ['-turns', 'Most turns first'],
  ['-errors', 'Most errors first'],
  ['state', 'By state'],
  ['-heartbeat', 'Latest heartbeat first'],
];

function Filters({ view, onView, shown, all }: FleetScreenProps & { shown: number; all: number }) {
  const field = useFilterField('Find an agent');
  return (
    <FilterBar
      end={shown === all ? countOf(all, 'agent') : `${sayNumber(shown)} of ${countOf(all, 'agent')}`}
    >
      <input
        className={`${inputClass} ${styles.find}`}
        type="search"
        {...field}
        aria-label="Find an agent"
        placeholder="Name, description or issue"
        defaultValue={view.q ?? ''}
        // Another way to this address, such as Back, shows its own words.
        key={view.q === undefined ? 'none' : 'some'}
        onChange={({ target }) => onView({ ...view, q: target.value || undefined })}
      />
      <span className={styles.choices}>
        <Choice
          label="State"
          any="Any state"
          value={view.state}
          options={stateFilters}
          onChange={(state) => onView({ ...view, state })}
        />
        <span className={styles.order}>
          <Choice
            label="Order"
            any="By name"
            value={view.sort}
            options={orders}
            onChange={(sort) => onView({ ...view, sort })}
          />
        </span>
      </span>
    </FilterBar>
  );
}

function Creating({ onClose }: { onClose: () => void }) {
  const navigate = useNavigate();
  return (
    <CreateAgent
      onClose={onClose}
      onOpen={({ id }) => void navigate({ to: '/agents/$id/$tab', params: { id, tab: 'connect' } })}
    />
  );
}

function NoAgents({ action }: { action: React.ReactNode }) {
  return (
    <Empty icon="agent" title="No agents yet" actions={action}>
      An agent is a program of yours that asks for work.{' '}
      {action ? 'Create one: you get an address and a key.' : 'An Admin creates one.'}
    </Empty>
  );
}
