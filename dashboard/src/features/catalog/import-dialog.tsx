import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useRef, useState } from 'react';
import { bodyOf } from '../../api/client';
import { keys } from '../../api/keys';
import { asProblem } from '../../api/problem';
import type { CatalogEntryDetail, ImportedPackage } from '../../api/types';
import { Button } from '../../parts/button';
import { Fact, Facts } from '../../parts/card';
import { Dialog } from '../../parts/dialog';
import { TextField } from '../../parts/field';
import { Notice, ProblemNotice } from '../../parts/notice';
import { announce } from '../../parts/toasts';
import { mcp } from '../../session/elevated/elevated-mode';
import styles from './catalog.module.css';

/** Hosts as a person writes them, separated by commas or blanks; undefined where there are none: every public host. */
export function hostsIn(text: string): string[] | undefined {
  const hosts = text.split(/[\s,]+/).filter((host) => host !== '');
  return hosts.length === 0 ? undefined : hosts;
}

/** Adds a package of npm to the catalogue: its name, a look at what it says about itself, and the word of a reviewer. */
export function ImportDialog({ onClose }: { onClose: () => void }) {
  const [name, setName] = useState('');
  const [hosts, setHosts] = useState('');
  const [looked, setLooked] = useState<ImportedPackage | null>(null);
  const [reviewed, setReviewed] = useState(false);
  const client = useQueryClient();
  const navigate = useNavigate();
  const send = useMutation({
    mutationFn: (dryRun: boolean) => {
      const exact = looked ? `${packageOf(looked.entry)}@${looked.entry.version}` : name.trim();
      // A note of the look says what it takes the place of.
      const decided = { reviewed: looked !== null && reviewed, replace: looked !== null };
      const body = { package: exact, hosts: hostsIn(hosts), ...decided };
      return bodyOf(mcp.POST('/api/mcp/catalog/imports', { params: { query: { dryRun } }, body }));
    },
    onSuccess: async (made) => {
      if (made.dryRun) return setLooked(made);
      announce(`${made.entry.name} is in the catalogue`);
      await client.invalidateQueries({ queryKey: keys.catalog });
      await navigate({ to: '/catalog/$id', params: { id: made.entry.id } });
    },
  });
  const problem = send.isError ? asProblem(send.error) : null;
  const ofName = problem?.errors.find(({ path }) => path === 'package')?.message;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title={looked ? `Add ${looked.entry.name}` : 'Add a package of npm'}
      onSubmit={() => !send.isPending && send.mutate(looked === null)}
      footer={
        <>
          <Button onClick={looked ? () => setLooked(null) : onClose}>{looked ? 'Back' : 'Cancel'}</Button>
          <Button
            look="primary"
            type="submit"
            busy={send.isPending}
            disabled={looked !== null && !reviewed && !send.isPending}
          >
            {looked ? 'Add to the catalogue' : send.isPending ? 'Looking' : 'Look at it'}
          </Button>
        </>
      }
    >
      {looked ? (
        <Looked found={looked} reviewed={reviewed} onReviewed={setReviewed} />
      ) : (
        <div className="stack">
          <TextField
            label="Package"
            hint="Its name on npm, with a version if it is not to be the latest: @acme/mcp or acme-mcp@1.4.2."
            value={name}
            error={ofName}
            required
            autoFocus
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setName(event.target.value)}
          />
          <TextField
            label="Hosts"
            hint="What the server may reach, such as api.acme.com. Empty: every public host."
            value={hosts}
            spellCheck={false}
            autoComplete="off"
            onChange={(event) => setHosts(event.target.value)}
          />
        </div>
      )}
      {problem && ofName === undefined && <ProblemNotice title="Nothing was added" error={problem} />}
    </Dialog>
  );
}

interface LookedProps {
  found: ImportedPackage;
  reviewed: boolean;
  onReviewed: (reviewed: boolean) => void;
}

function Looked({ found: { entry, notes }, reviewed, onReviewed }: LookedProps) {
  const start = useRef<HTMLParagraphElement>(null);
  // The field that had the focus is gone, and what there is to read begins here.
  useEffect(() => start.current?.focus({ preventScroll: true }), []);
  return (
    <div className="stack">
      <p ref={start} tabIndex={-1} className={styles.start}>
        {entry.description}
      </p>
      <Facts>
        <Fact name="Package">
          <code>
            {packageOf(entry)}@{entry.version}
          </code>
        </Fact>
        <Fact name="Licence">{entry.license ?? 'Unknown'}</Fact>
        {entry.runtimeVersion && <Fact name="Needs">{`${entry.runtime} ${entry.runtimeVersion}`}</Fact>}
        <Fact name="May reach">{reachOf(entry)}</Fact>
        <Fact name="Variables">
          <Variables of={entry} />
        </Fact>
        <Fact name="On npm">
          <a
            className="link"
            href={entry.importedFrom ?? ''}
            target="_blank"
            rel="noopener noreferrer nofollow"
          >
            Package and README
          </a>
        </Fact>
        {argumentsOf(entry) !== '' && (
          <Fact name="Arguments">
            <code>{argumentsOf(entry)}</code>
          </Fact>
        )}
      </Facts>
      {notes.map((note) => (
        <Notice key={note} tone="warning">
          <p>{note}</p>
        </Notice>
      ))}
      <label className={styles.only}>
        <input type="checkbox" checked={reviewed} onChange={(event) => onReviewed(event.target.checked)} />I
        have reviewed this package, its variables and what it may reach
      </label>
      <p className="soft small">
        The file of the entry lies in the first folder of CATALOG_DIRS, where everything of it can be changed.
      </p>
    </div>
  );
}

function packageOf({ manifest, id }: CatalogEntryDetail): string {
  return 'package' in manifest ? (manifest.package.name ?? id) : id;
}

function Variables({ of: { environmentVariables } }: { of: CatalogEntryDetail }) {
  if (environmentVariables.length === 0) return <>None that its README names</>;
  return environmentVariables.map(({ name, isSecret, isRequired, description }) => {
    const facts = [isSecret ? 'secret' : null, isRequired ? 'required' : null].filter(
      (fact) => fact !== null,
    );
    return (
      <div key={name}>
        <code>{name}</code>
        {facts.length > 0 && ` (${facts.join(', ')})`} <span className="soft small">{description}</span>
      </div>
    );
  });
}

function reachOf({ manifest }: CatalogEntryDetail): string {
  const network = 'network' in manifest ? manifest.network : null;
  if (typeof network === 'object' && network !== null) return network.hosts.join(', ');
  return network === 'none' ? 'Nothing' : 'Every public host';
}

/** What follows the program of the package. */
function argumentsOf({ manifest }: CatalogEntryDetail): string {
  return 'launch' in manifest ? manifest.launch.args.slice(1).join(' ') : '';
}
