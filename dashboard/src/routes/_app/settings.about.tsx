import { queryOptions, useQuery } from '@tanstack/react-query';
import { createFileRoute } from '@tanstack/react-router';
import { api, bodyOf } from '../../api/client';
import { every } from '../../api/problem';
import { Card, Fact, Facts } from '../../parts/card';
import { Loaded } from '../../parts/notice';
import { Pill } from '../../parts/status';
import { Table } from '../../parts/table';
import { Ago } from '../../parts/time';

export const Route = createFileRoute('/_app/settings/about')({ component: About });

const REFRESH_MS = 10_000;

/** No event says that a process ended, so the page asks again while it is open. */
const infoQuery = queryOptions({
  queryKey: ['info'],
  queryFn: () => bodyOf(api.GET('/api/info')),
  refetchInterval: every(REFRESH_MS),
});

const work: Record<string, string> = {
  all: 'Requests, MCP servers and background work',
  api: 'Requests',
  host: 'MCP servers and background work',
  tools: 'MCP servers',
  worker: 'Background work',
};

const states = {
  starting: { tone: 'plain', icon: 'clock', word: 'Starting' },
  ready: { tone: 'enabled', icon: 'check', word: 'Ready' },
  ending: { tone: 'plain', icon: 'clock', word: 'Ending' },
} as const;

/** The version of the service, and the processes that share its work. */
function About() {
  return (
    <Loaded query={useQuery(infoQuery)} what="The facts about the service">
      {({ version, features, processes }) => (
        <div className="stack">
          <Card title="The service">
            <Facts>
              <Fact name="Version">{version}</Fact>
              <Fact name="Files">{features.attachmentStore === 's3' ? 'In an object store' : 'On disk'}</Fact>
              <Fact name="A tool that changed">
                {features.toolApproval ? 'Waits for an Admin' : 'Is used as it is'}
              </Fact>
            </Facts>
          </Card>
          <Card title="Processes" count={processes.length} flush>
            <Table label="Processes" columns={['Process', 'Does', 'State', 'Runs since', 'Started again']}>
              {processes.map(({ name, kind, state, since, restarts }) => (
                <tr key={name}>
                  <th scope="row">{name}</th>
                  <td data-label="Does">{work[kind]}</td>
                  <td data-label="State">
                    <Pill tone={states[state].tone} icon={states[state].icon}>
                      {states[state].word}
                    </Pill>
                  </td>
                  <td data-label="Runs since" className="soft">
                    <Ago iso={since} />
                  </td>
                  <td data-label="Started again" className="soft">
                    {restarts === 0 ? 'Never' : `${restarts} ${restarts === 1 ? 'time' : 'times'}`}
                  </td>
                </tr>
              ))}
            </Table>
          </Card>
        </div>
      )}
    </Loaded>
  );
}
