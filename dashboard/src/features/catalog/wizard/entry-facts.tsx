import type { CatalogEntryDetail } from '../../../api/types';
import { Card, Fact, Facts } from '../../../parts/card';
import { EntryTags } from '../entry-tags';

/** What an entry is: its exact package or address, who publishes it, under which licence. */
export function EntryFacts({ entry }: { entry: CatalogEntryDetail }) {
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
