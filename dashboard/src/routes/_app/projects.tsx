import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { createFileRoute, Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { keys } from '../../api/keys';
import { projectsQuery } from '../../api/lists';
import { fieldErrors } from '../../api/problem';
import type { Project, ProjectCounts } from '../../api/types';
import { useActions } from '../../keyboard/use-actions';
import { Button } from '../../parts/button';
import { Card } from '../../parts/card';
import { FormDialog } from '../../parts/dialog';
import { Switch, TextArea, TextField } from '../../parts/field';
import { Empty, Loaded } from '../../parts/notice';
import { Page } from '../../parts/page';
import { Table } from '../../parts/table';
import { announce } from '../../parts/toasts';
import { useDraft } from '../../session/draft';
import { hasRole, useMe } from '../../session/me';

export const Route = createFileRoute('/_app/projects')({ component: Projects });

/** The unfinished issues of all projects, by the service's count. */
const countsQuery = {
  queryKey: [...keys.issueLists, 'projects'],
  queryFn: () => bodyOf(api.GET('/api/projects/counts')),
};

const NUMBERS = ['Open', 'In progress', 'Waits for work', 'Waits for a person', 'In review'];

function Projects() {
  const projects = useQuery(projectsQuery);
  const counts = useQuery(countsQuery).data ?? [];
  const editable = hasRole(useMe(), 'Editor');
  const [creating, setCreating] = useState(false);
  const create = () => setCreating(true);
  useActions([
    {
      id: 'create-project',
      name: 'New project',
      icon: 'plus',
      group: 'Create',
      available: editable,
      perform: create,
    },
  ]);
  const button = editable && (
    <Button look="primary" icon="plus" onClick={create}>
      New project
    </Button>
  );
  return (
    <Page title="Projects" actions={button}>
      <Loaded query={projects} what="The projects">
        {(all) =>
          all.length === 0 ? (
            <Empty icon="board" title="No projects yet">
              A project holds issues. An Editor creates one; then you see its board here.
            </Empty>
          ) : (
            <Card title="All projects" count={all.length} flush>
              <Table label="Projects" columns={['Key', 'Name', ...NUMBERS, 'Description']} numbers={NUMBERS}>
                {all.map((project) => (
                  <ProjectRow
                    key={project.id}
                    project={project}
                    counts={counts.find(({ projectId }) => projectId === project.id)}
                  />
                ))}
              </Table>
            </Card>
          )
        }
      </Loaded>
      {creating && <CreateProject onClose={() => setCreating(false)} />}
    </Page>
  );
}

/** What waits for a person is beside what waits for other work: the first is what somebody should look at. */
function ProjectRow({
  project: { key, name, description, visibility },
  counts,
}: {
  project: Project;
  counts: ProjectCounts | undefined;
}) {
  const cells: [string, number | undefined][] = [
    ['Open', counts?.Open],
    ['In progress', counts?.InProgress],
    ['Waits for work', counts?.waiting.onWork],
    ['Waits for a person', counts?.waiting.onPerson],
    ['In review', counts?.PendingReview],
  ];
  return (
    <tr>
      <td data-label="Key" className="mono small">
        {key}
      </td>
      <td data-label="Name">
        <Link to="/p/$key/board" params={{ key }} className="link">
          {name}
        </Link>
        {visibility === 'members' && <span className="soft small"> · members only</span>}
      </td>
      {cells.map(([label, count]) => (
        <td key={label} data-label={label} data-number="" className={count === 0 ? 'soft' : undefined}>
          {count ?? ''}
        </td>
      ))}
      <td data-label="Description" className="soft">
        {description}
      </td>
    </tr>
  );
}

const empty = { key: '', name: '', description: '', membersOnly: false };

function CreateProject({ onClose }: { onClose: () => void }) {
  const client = useQueryClient();
  const navigate = useNavigate();
  const { value: fields, set, discard } = useDraft('project', empty);
  const create = useMutation({
    mutationFn: () =>
      bodyOf(
        api.POST('/api/projects', {
          body: {
            key: fields.key,
            name: fields.name,
            description: fields.description,
            visibility: fields.membersOnly ? 'members' : 'open',
          },
        }),
      ),
    onSuccess: async ({ key, name }) => {
      discard();
      onClose();
      announce(`${name} is created`);
      await client.invalidateQueries({ queryKey: keys.projects });
      await navigate({ to: '/p/$key/board', params: { key } });
    },
  });
  const { at, elsewhere } = fieldErrors(create.error, ['key', 'name', 'description']);
  return (
    <FormDialog
      onClose={onClose}
      title="New project"
      onSubmit={() => create.mutate()}
      verb="Create project"
      busy={create.isPending}
      refused="The project was not created"
      refusal={elsewhere && create.error}
    >
      <TextField
        label="Name"
        required
        autoFocus
        value={fields.name}
        error={at('name')}
        onChange={({ target }) => set({ ...fields, name: target.value })}
      />
      <TextField
        label="Key"
        hint="Begins the key of each issue, as in PAY-12. It never changes."
        required
        autoCapitalize="characters"
        spellCheck={false}
        value={fields.key}
        error={at('key')}
        onChange={({ target }) => set({ ...fields, key: target.value.toUpperCase() })}
      />
      <TextArea
        label="Description"
        rows={3}
        value={fields.description}
        error={at('description')}
        onChange={({ target }) => set({ ...fields, description: target.value })}
      />
      <Switch
        label="Members only"
        hint="Only people and agents that you add see it. You are the first."
        checked={fields.membersOnly}
        onChange={(membersOnly) => set({ ...fields, membersOnly })}
      />
    </FormDialog>
  );
}
