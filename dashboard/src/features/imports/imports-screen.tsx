import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf, pageOf } from '../../api/client';
import { keys } from '../../api/keys';
import { every } from '../../api/problem';
import type { Import, ListedImport, Project } from '../../api/types';
import { Button, buttonClass } from '../../parts/button';
import { Card } from '../../parts/card';
import { countOf, sayNumber } from '../../parts/count';
import { Dialog } from '../../parts/dialog';
import { SelectField, TextField } from '../../parts/field';
import { Loaded, Notice, ProblemNotice } from '../../parts/notice';
import { Pill } from '../../parts/status';
import { Table } from '../../parts/table';
import { Ago } from '../../parts/time';
import { announce } from '../../parts/toasts';
import { hasRole, useMe } from '../../session/me';
import styles from './imports.module.css';

type Format = Import['format'];

const NDJSON = 'application/x-ndjson';
/** Where each file comes from, the media type that it is sent as, and which file it is. */
const formats: Record<Format, readonly [name: string, type: string, hint: string]> = {
  awp: ['Agent Work Platform', NDJSON, 'An export of a project, such as PAY.ndjson or PAY.tar.'],
  beads: ['Beads', NDJSON, 'The issues.jsonl of the folder .beads.'],
  github: ['GitHub', 'application/json', 'The JSON of gh issue list --json with url, or of the REST API.'],
  linear: ['Linear', 'text/csv', 'The CSV of the workspace.'],
  jira: ['Jira', 'text/csv', 'The CSV with all fields.'],
};
const LOOK_MS = 1_000;
/** How many lines of a report the service keeps. */
const MOST_ERRORS = 1_000;
const runs = ({ finishedAt }: ListedImport) => finishedAt === null;

/** Takes a project out as a file, and brings files in, of this service or of others. */
export function ImportsScreen({ project }: { project: Project }) {
  const mayImport = hasRole(useMe(), 'Admin');
  return (
    <>
      <div className={styles.cards}>
        {mayImport && <ImportFile projectId={project.id} />}
        <ExportFile project={project} />
      </div>
      {mayImport && <Imports projectId={project.id} />}
    </>
  );
}

function ExportFile({ project: { id, key } }: { project: Project }) {
  const [withFiles, setWithFiles] = useState(false);
  return (
    <Card title="Export">
      <div className="stack">
        <p className="soft">
          One file with the issues of the project and their links, comments, labels, goals, code and
          schedules, as they are now. It has no secret and no address of a person, and another project can
          import it.
        </p>
        <label className="row">
          <input
            type="checkbox"
            checked={withFiles}
            onChange={({ target }) => setWithFiles(target.checked)}
          />
          With the attachments, as an archive
        </label>
        <div>
          <a
            className={buttonClass()}
            href={`/api/projects/${id}/export${withFiles ? '?attachments=true' : ''}`}
            download
          >
            Download {key}.{withFiles ? 'tar' : 'ndjson'}
          </a>
        </div>
      </div>
    </Card>
  );
}

function ImportFile({ projectId }: { projectId: string }) {
  const client = useQueryClient();
  const [format, setFormat] = useState<Format>('awp');
  const [file, setFile] = useState<File | null>(null);
  const send = useMutation({
    mutationFn: (body: File) =>
      bodyOf(
        api.POST('/api/projects/{projectId}/imports', {
          params: { path: { projectId }, query: { format } },
          // The file goes as it is: as JSON it would be a text in quotes.
          body: body as unknown as string,
          bodySerializer: () => body,
          headers: { 'Content-Type': body.name.endsWith('.tar') ? 'application/x-tar' : formats[format][1] },
        }),
      ),
    onSuccess: () => {
      setFile(null);
      announce('The import has begun');
      return client.invalidateQueries({ queryKey: keys.imports });
    },
  });
  return (
    <Card title="Import">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (file !== null && !send.isPending) send.mutate(file);
        }}
      >
        <SelectField
          label="From"
          hint={formats[format][2]}
          value={format}
          onChange={({ target }) => setFormat(target.value as Format)}
        >
          {Object.entries(formats).map(([one, [name]]) => (
            <option key={one} value={one}>
              {name}
            </option>
          ))}
        </SelectField>
        <TextField
          key={send.data?.id}
          label="File"
          hint="The same file again makes nothing twice, and takes over what has changed at its source."
          type="file"
          required
          onChange={({ target }) => setFile(target.files?.[0] ?? null)}
        />
        {send.isError && <ProblemNotice title="The file was not imported" error={send.error} />}
        <div>
          <Button look="primary" type="submit" busy={send.isPending} disabled={file === null}>
            {send.isPending ? 'Sending' : 'Import'}
          </Button>
        </div>
      </form>
    </Card>
  );
}

const NUMBERS = ['Made', 'Changed', 'Left out'];

/** Newest first. */
function Imports({ projectId }: { projectId: string }) {
  const imports = useQuery({
    queryKey: [...keys.imports, projectId],
    queryFn: () => pageOf(api.GET('/api/projects/{projectId}/imports', { params: { path: { projectId } } })),
    refetchInterval: (query) => every(query.state.data?.rows.some(runs) ? LOOK_MS : false)(query),
  });
  const [open, setOpen] = useState<ListedImport | null>(null);
  return (
    <Loaded query={imports} what="The imports">
      {({ rows }) =>
        rows.length > 0 && (
          <Card title="Imports" count={rows.length} flush>
            <Table label="Imports" columns={['From', 'Begun', 'State', ...NUMBERS, '']} numbers={NUMBERS}>
              {rows.map((one) => (
                <Row key={one.id} row={one} onOpen={() => setOpen(one)} />
              ))}
            </Table>
            {open && <Report of={open} onClose={() => setOpen(null)} />}
          </Card>
        )
      }
    </Loaded>
  );
}

function Row({ row, onOpen }: { row: ListedImport; onOpen: () => void }) {
  const [name] = formats[row.format];
  const counts = [row.created, row.updated, row.skipped];
  return (
    <tr>
      <td data-label="From">{name}</td>
      <td data-label="Begun" className="soft">
        <span>
          <Ago iso={row.createdAt} /> by {row.startedBy.name}
        </span>
      </td>
      <td data-label="State">
        <State of={row} />
      </td>
      {NUMBERS.map((column, at) => (
        <td key={column} data-label={column} data-number="">
          {sayNumber(counts[at]!)}
        </td>
      ))}
      <td>
        <Button small aria-label={`Report of the import from ${name}`} onClick={onOpen}>
          Report
        </Button>
      </td>
    </tr>
  );
}

const ended = {
  completed: ['resolved', 'resolved', 'Completed'],
  failed: ['danger', 'error', 'Failed'],
} as const;

function State({ of: { state, done, total } }: { of: ListedImport }) {
  if (state === 'completed' || state === 'failed') {
    const [tone, icon, word] = ended[state];
    return <Pill {...{ tone, icon }}>{word}</Pill>;
  }
  const read = total === null ? 'Reading the file' : `${sayNumber(done)} of ${countOf(total, 'object')}`;
  const words = state === 'queued' ? 'Waiting for its turn' : read;
  return (
    <div className={styles.progress}>
      <span className="small">{words}</span>
      <progress value={total === null ? undefined : done} max={total ?? 1} aria-label={words} />
    </div>
  );
}

/** What an import has done so far, and what it could not take over. */
function Report({ of, onClose }: { of: ListedImport; onClose: () => void }) {
  const { projectId, id, format } = of;
  const path = { projectId, importId: id };
  const report = useQuery({
    queryKey: [...keys.imports, 'report', id],
    queryFn: () => bodyOf(api.GET('/api/projects/{projectId}/imports/{importId}', { params: { path } })),
    refetchInterval: (query) => every(query.state.data?.finishedAt === null ? LOOK_MS : false)(query),
  });
  const shown = report.data;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={`Import from ${formats[format][0]}`}
      footer={
        <>
          <a
            className={buttonClass()}
            href={`/api/projects/${projectId}/imports/${id}`}
            download={`import-${id}.json`}
          >
            Download the report
          </a>
          <Button onClick={onClose}>Close</Button>
        </>
      }
    >
      {report.isLoadingError && <ProblemNotice title="The report cannot be shown" error={report.error} />}
      {shown && (
        <div className={styles.report}>
          <State of={shown} />
          {shown.failure !== null && (
            <Notice tone="bad" title="The import failed">
              <p>{shown.failure} What was made until then stays.</p>
            </Notice>
          )}
          <p>
            {countOf(shown.created, 'object')} made, {sayNumber(shown.updated)} changed,{' '}
            {sayNumber(shown.skipped)} left out.
          </p>
          <Reported
            what="What has no place here"
            of="How often"
            rows={Object.entries(shown.ignored).map(([name, count]) => [sayNumber(count), name])}
          />
          <Reported
            what="What was left out or changed"
            of="Line"
            rows={byLine(shown).map(({ line, message }) => [line === 0 ? 'Archive' : String(line), message])}
          />
          {shown.errors.length === MOST_ERRORS && <p className="soft">Only so many are listed.</p>}
        </div>
      )}
    </Dialog>
  );
}

const byLine = ({ errors }: Import) => errors.toSorted((one, other) => one.line - other.line);

/** Sentences of a report, each after its line or its number. */
function Reported({ what, of, rows }: { what: string; of: string; rows: [string, string][] }) {
  if (rows.length === 0) return null;
  return (
    <Table label={what} columns={[of, what]}>
      {rows.map(([number, words], at) => (
        <tr key={at}>
          <td data-label={of}>
            <span className="mono small">{number}</span>
          </td>
          <td data-label={what}>{words}</td>
        </tr>
      ))}
    </Table>
  );
}
