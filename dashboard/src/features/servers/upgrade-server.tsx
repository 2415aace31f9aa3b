import { useEffect } from 'react';
import type { Server, UpgradedServer } from '../../api/types';
import { Button } from '../../parts/button';
import { Fact, Facts } from '../../parts/card';
import { Dialog } from '../../parts/dialog';
import { Notice, ProblemNotice } from '../../parts/notice';
import { Skeleton } from '../../parts/skeleton';
import { announce } from '../../parts/toasts';
import { useUpgrade } from './changes';

type Report = UpgradedServer['upgrade'];

/** Shows what an upgrade would do before it is done. */
export function UpgradeServer({ server, onClose }: { server: Server; onClose: () => void }) {
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
