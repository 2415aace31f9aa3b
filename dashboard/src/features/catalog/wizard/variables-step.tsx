import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { bodyOf } from '../../../api/client';
import { asProblem } from '../../../api/problem';
import type { CatalogEntryDetail } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { TextField } from '../../../parts/field';
import { Icon } from '../../../parts/icon';
import { Markdown } from '../../../parts/markdown';
import { ProblemNotice } from '../../../parts/notice';
import { useServerRefresh } from '../../../shared/mcp/queries';
import { VariableField } from '../../../shared/mcp/variable-field';
import { useSeconds } from '../../../shared/mcp/verification-view';
import { mcp } from '../../../session/elevated/elevated-mode';
import styles from './wizard.module.css';

interface VariablesStepProps {
  entry: CatalogEntryDetail;
  onInstalled: (serverId: string) => void;
}

/** Takes the values that the server needs and installs it. What was typed stays until the service has accepted it. */
export function VariablesStep({ entry, onInstalled }: VariablesStepProps) {
  const [values, setValues] = useState<Record<string, string>>({});
  const [name, setName] = useState('');
  const refresh = useServerRefresh();
  const install = useMutation({
    mutationFn: () => {
      const envValues = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
      return bodyOf(
        mcp.POST('/api/mcp/installed', {
          body: { catalogId: entry.id, envValues, ...(name.trim() === '' ? {} : { name: name.trim() }) },
        }),
      );
    },
    onSuccess: async ({ id }) => {
      await refresh();
      onInstalled(id);
    },
  });
  const instructions = instructionsOf(entry);
  const problem = install.isError ? asProblem(install.error) : null;
  const errorOf = (path: string) => problem?.errors.find((error) => error.path === path)?.message;
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!install.isPending) install.mutate();
      }}
    >
      <Card
        title="What it needs"
        footer={
          <>
            <Button look="primary" type="submit" busy={install.isPending}>
              {install.isPending ? 'Installing' : 'Install'}
            </Button>
            {install.isPending ? <Progress /> : <SecretsNote entry={entry} />}
          </>
        }
      >
        <div className="stack">
          {problem && problem.errors.length === 0 && (
            <ProblemNotice title={`${entry.name} was not installed`} error={problem} />
          )}
          {instructions !== '' && <Markdown text={instructions} />}
          {entry.environmentVariables.map((variable) => (
            <VariableField
              key={variable.name}
              variable={variable}
              value={values[variable.name] ?? ''}
              error={errorOf(`envValues.${variable.name}`)}
              onChange={(value) => setValues({ ...values, [variable.name]: value })}
            />
          ))}
          <TextField
            label="Name"
            hint="How people see the server. Optional."
            placeholder={entry.name}
            autoComplete="off"
            value={name}
            error={problem?.code === 'name_taken' ? problem.detail : errorOf('name')}
            onChange={(event) => setName(event.target.value)}
          />
        </div>
      </Card>
    </form>
  );
}

/** The instructions without their last sentence, which says how to do over the API what this page does. */
function instructionsOf({ installInstructions }: CatalogEntryDetail): string {
  return installInstructions.replace(/\s*(Then )?POST \/api\/mcp\/installed[\s\S]*$/, '').trim();
}

function SecretsNote({ entry }: { entry: CatalogEntryDetail }) {
  if (!entry.environmentVariables.some(({ isSecret }) => isSecret)) return null;
  return (
    <span className={styles.note}>
      <Icon name="shield" small /> Secrets are encrypted and never shown again.
    </span>
  );
}

function Progress() {
  const seconds = useSeconds();
  return (
    <span className={styles.note} role="status">
      The package is fetched and checked. <span aria-hidden="true">{seconds} s of at most 120 s</span>
    </span>
  );
}
