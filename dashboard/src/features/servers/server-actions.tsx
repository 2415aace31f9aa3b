import { useEffect, useState } from 'react';
import { asProblem } from '../../api/problem';
import type { Server, UpgradedServer } from '../../api/types';
import { Button, Buttons, IconButton } from '../../parts/button';
import { Fact, Facts } from '../../parts/card';
import { Confirm, Dialog } from '../../parts/dialog';
import { TextField } from '../../parts/field';
import { Menu, type MenuItem } from '../../parts/menu';
import { Notice, ProblemNotice, Skeleton } from '../../parts/notice';
import { announce } from '../../parts/toasts';
import { useDraft } from '../../session/draft';
import { useRemove, useRename, useSwitch, useUpgrade } from './changes';

type Report = UpgradedServer['upgrade'];

/** Shows what an upgrade would do before it is done. */
function UpgradeServer({ server, onClose }: { server: Server; onClose: () => void }) {
  const rehearsal = useUpgrade(server.id, true);
  const upgrade = useUpgrade(server.id, false);
  const rehearse = rehearsal.mutate;
  useEffect(() => rehearse(), [rehearse]);
  const report = rehearsal.data?.upgrade;
  const ready =
    report !== undefined && report.missingVariables.length === 0 && report.verification?.status === 'ok';
  const apply = () =>
    upgrade.mutate(undefined, {
      onSuccess: ({ upgrade: { toVersion } }) => {
        announce(`${server.name} runs version ${toVersion}`);
        onClose();
      },
    });
  return (
    <Dialog
      open
      onClose={onClose}
      title={`Upgrade ${server.name}`}
      onSubmit={apply}
      footer={
        <>
          <Button onClick={onClose}>{ready || report === undefined ? 'Not now' : 'Close'}</Button>
          {ready && (
            <Button look="primary" type="submit" busy={upgrade.isPending}>
              {`Upgrade to ${report.toVersion}`}
            </Button>
          )}
        </>
      }
    >
      {rehearsal.isError && <ProblemNotice title="The upgrade cannot be tried" error={rehearsal.error} />}
      {report === undefined && !rehearsal.isError && (
        <>
          <p className="soft">
            The new version is fetched and verified beside the old one. Nothing changes yet.
          </p>
          <Skeleton rows={3} label="Trying the new version" />
        </>
      )}
      {report && <ReportView report={report} />}
      {upgrade.isError && <ProblemNotice title="The server was not upgraded" error={upgrade.error} />}
    </Dialog>
  );
}

function ReportView({ report }: { report: Report }) {
  const { fromVersion, toVersion, verification, missingVariables, droppedVariables, tools } = report;
  const changed = tools.filter(({ state }) => state !== 'approved');
  return (
    <>
      <Facts>
        <Fact name="Version">
          {fromVersion} → <b>{toVersion}</b>
        </Fact>
        <Fact name="Verification">{verification?.details ?? 'Not tried: values are missing.'}</Fact>
        <Fact name="Tools">
          {changed.length === 0
            ? `All ${tools.length} stay as approved.`
            : `Agents lose these until you approve them: ${changed.map(({ name, state }) => `${name} (${state})`).join(', ')}.`}
        </Fact>
        {droppedVariables.length > 0 && (
          <Fact name="Dropped values">{droppedVariables.join(', ')}: deleted with the upgrade.</Fact>
        )}
      </Facts>
      {missingVariables.length > 0 && (
        <Notice tone="warning" title="Values are missing">
          <p>Set {missingVariables.join(', ')} under Credentials, then upgrade.</p>
        </Notice>
      )}
      {verification?.status === 'error' && (
        <Notice tone="warning" title="The new version does not verify">
          <p>The old version stays. The upgrade is refused until the new one verifies.</p>
        </Notice>
      )}
    </>
  );
}

/** Renames a server. The names of its tools keep their beginning. */
function RenameServer({ server, onClose }: { server: Server; onClose: () => void }) {
  const { value: name, set: setName, discard } = useDraft(`server ${server.id}`, server.name);
  const close = () => {
    discard();
    onClose();
  };
  const rename = useRename(server.id, close);
  return (
    <Dialog
      open
      onClose={close}
      title={`Rename ${server.name}`}
      onSubmit={() => rename.mutate({ name })}
      footer={
        <>
          <Button onClick={close}>Cancel</Button>
          <Button look="primary" type="submit" busy={rename.isPending}>
            Rename
          </Button>
        </>
      }
    >
      <TextField
        label="Name"
        hint={`People see it. Agents go on to see tools as ${server.slug}__….`}
        required
        autoFocus
        value={name}
        error={rename.isError ? messageOf(rename.error) : undefined}
        onChange={(event) => setName(event.target.value)}
      />
    </Dialog>
  );
}

function messageOf(error: unknown): string {
  const problem = asProblem(error);
  return problem.errors[0]?.message ?? problem.detail;
}

interface RemoveServerProps {
  server: Server;
  open: boolean;
  onClose: () => void;
  onRemoved: () => void;
}

/** Asks before a server is removed, and says what goes with it. */
function RemoveServer({ server, open, onClose, onRemoved }: RemoveServerProps) {
  const remove = useRemove(server.id, () => {
    announce(`${server.name} is removed`);
    onRemoved();
  });
  return (
    <Confirm
      open={open}
      onClose={onClose}
      title={`Remove ${server.name}?`}
      verb="Remove server"
      onConfirm={() => remove.mutate()}
      busy={remove.isPending}
      error={remove.error}
    >
      <p>
        Its processes end, and its credentials, its package and the access of every agent are deleted. This
        cannot be undone. To stop it for a while, disable it.
      </p>
    </Confirm>
  );
}

type Open = 'rename' | 'upgrade' | 'remove' | null;

/** What can be done with a server besides its tabs. */
export function ServerActions({ server, onRemoved }: { server: Server; onRemoved: () => void }) {
  const [open, setOpen] = useState<Open>(null);
  const toggle = useSwitch(server);
  const close = () => setOpen(null);
  const items: MenuItem[] = [
    { id: 'rename', label: 'Rename', icon: 'settings', onSelect: () => setOpen('rename') },
    { id: 'remove', label: 'Remove', icon: 'close', danger: true, onSelect: () => setOpen('remove') },
  ];
  return (
    <>
      <Buttons label={`Change ${server.name}`}>
        {server.updateAvailable && (
          <Button look="primary" icon="arrow" onClick={() => setOpen('upgrade')}>
            Upgrade
          </Button>
        )}
        <Button
          icon={server.status === 'disabled' ? 'enabled' : 'disabled'}
          busy={toggle.isPending}
          onClick={() => toggle.mutate()}
        >
          {server.status === 'disabled' ? 'Enable' : 'Disable'}
        </Button>
        <Menu
          trigger={<IconButton icon="more" label={`More actions for ${server.name}`} />}
          label={`More actions for ${server.name}`}
          items={items}
        />
      </Buttons>
      {open === 'rename' && <RenameServer server={server} onClose={close} />}
      {open === 'upgrade' && <UpgradeServer server={server} onClose={close} />}
      <RemoveServer server={server} open={open === 'remove'} onClose={close} onRemoved={onRemoved} />
    </>
  );
}
