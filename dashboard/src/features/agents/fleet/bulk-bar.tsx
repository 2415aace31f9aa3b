import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { api } from '../../../api/client';
import { keys } from '../../../api/keys';
import { asProblem } from '../../../api/problem';
import type { FleetAgent } from '../../../api/types';
import { Button } from '../../../parts/button';
import { countOf, sayNumber } from '../../../parts/count';
import { FormDialog } from '../../../parts/dialog';
import { Notice } from '../../../parts/notice';
import { announce } from '../../../parts/toasts';
import { BudgetInputs } from '../../../shared/usage/budget-card';
import { bodyOfFields, type BudgetFields, noBudget, saveBudget } from '../../../shared/usage/queries';
import styles from './fleet-screen.module.css';

/** Which agents are chosen for a change of several. */
export interface Selection {
  has: (id: string) => boolean;
  /** Chooses one or not, or with `range` all between the last one that was chosen and this one, in the order shown. */
  toggle: (id: string, range?: readonly string[]) => void;
  set: (ids: readonly string[]) => void;
}

/** Null for those who may not change agents. */
export function useSelection(editable: boolean): Selection | null {
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const last = useRef<string | null>(null);
  if (!editable) return null;
  return {
    has: (id) => ids.has(id),
    toggle: (id, range) => {
      const choose = !ids.has(id);
      const [from, to] = [range?.indexOf(last.current ?? '') ?? -1, range?.indexOf(id) ?? -1];
      const among = from < 0 ? [id] : range!.slice(Math.min(from, to), Math.max(from, to) + 1);
      last.current = id;
      setIds((before) => {
        const next = new Set(before);
        for (const one of among)
          if (choose) next.add(one);
          else next.delete(one);
        return next;
      });
    },
    set: (chosen) => setIds(new Set(chosen)),
  };
}

/** Requests at once; a person who chose fifty agents should not use up the limit per minute in one second. */
const AT_ONCE = 4;

/** One change for each of several agents. */
interface BulkChange {
  agents: readonly FleetAgent[];
  /** Says that it is done. */
  done: (agents: number) => string;
  send: (agent: FleetAgent) => Promise<unknown>;
}

/** A change that the service refused, in its own words. */
interface Refusal {
  agent: FleetAgent;
  detail: string;
}

async function sendAll({ agents, send }: BulkChange): Promise<Refusal[]> {
  const refusals: Refusal[] = [];
  for (let at = 0; at < agents.length; at += AT_ONCE) {
    const group = agents.slice(at, at + AT_ONCE);
    const results = await Promise.allSettled(group.map(send));
    results.forEach((result, index) => {
      if (result.status === 'rejected')
        refusals.push({ agent: group[index]!, detail: asProblem(result.reason).detail });
    });
  }
  return refusals;
}

const setDisabled = (agents: readonly FleetAgent[], disabled: boolean): BulkChange => ({
  agents,
  done: (count) => `${countOf(count, 'agent is', 'agents are')} ${disabled ? 'disabled' : 'enabled'}`,
  send: ({ id: agentId }) =>
    api.PUT('/api/agents/{agentId}', { params: { path: { agentId } }, body: { disabled } }),
});

interface BulkBarProps {
  agents: readonly FleetAgent[];
  /** Called with the agents that stay chosen. */
  onChosen: (ids: readonly string[]) => void;
}

/** Changes the chosen agents together. Those that the service refused stay chosen, each with its reason. */
export function BulkBar({ agents, onChosen }: BulkBarProps) {
  const client = useQueryClient();
  const [limiting, setLimiting] = useState(false);
  const bulk = useMutation({
    mutationFn: sendAll,
    onSuccess: (refusals, change) => {
      const count = change.agents.length - refusals.length;
      if (count > 0) announce(change.done(count));
      onChosen(refusals.map(({ agent }) => agent.id));
    },
    onSettled: () =>
      Promise.all([keys.agents, keys.usage].map((queryKey) => client.invalidateQueries({ queryKey }))),
  });
  const refusals = (bulk.data ?? []).filter(({ agent }) => agents.some(({ id }) => id === agent.id));
  const [disabled, enabled] = [true, false].map((is) => agents.filter((agent) => agent.disabled === is));
  return (
    <div className={styles.bulk} role="group" aria-label="Change the chosen agents">
      {refusals.length > 0 && (
        <Notice tone="bad" title={`${countOf(refusals.length, 'agent was', 'agents were')} not changed`}>
          <ul className={styles.refused}>
            {refusals.map(({ agent, detail }) => (
              <li key={agent.id}>
                <b>{agent.name}</b>: {detail}
              </li>
            ))}
          </ul>
        </Notice>
      )}
      <div className="row">
        <b role="status">{sayNumber(agents.length)} chosen</b>
        {enabled!.length > 0 && (
          <Button
            small
            icon="disabled"
            busy={bulk.isPending}
            onClick={() => bulk.mutate(setDisabled(enabled!, true))}
          >
            Disable {sayNumber(enabled!.length)}
          </Button>
        )}
        {disabled!.length > 0 && (
          <Button
            small
            icon="enabled"
            busy={bulk.isPending}
            onClick={() => bulk.mutate(setDisabled(disabled!, false))}
          >
            Enable {sayNumber(disabled!.length)}
          </Button>
        )}
        <Button small busy={bulk.isPending} onClick={() => setLimiting(true)}>
          Set a budget
        </Button>
        <Button small look="quiet" onClick={() => onChosen([])}>
          Choose none
        </Button>
      </div>
      {limiting && (
        <BudgetOfSeveral
          agents={agents}
          onClose={() => setLimiting(false)}
          onSet={(change) => {
            setLimiting(false);
            bulk.mutate(change);
          }}
        />
      )}
    </div>
  );
}

interface BudgetOfSeveralProps {
  agents: readonly FleetAgent[];
  onClose: () => void;
  onSet: (change: BulkChange) => void;
}

/** One budget for each of several agents, in place of the one that it has. */
function BudgetOfSeveral({ agents, onClose, onSet }: BudgetOfSeveralProps) {
  const [fields, setFields] = useState<BudgetFields>(noBudget);
  const [asked, setAsked] = useState(false);
  const body = bodyOfFields(fields);
  const replaced = agents.filter(({ budget }) => budget !== null).length;
  const submit = () => {
    if (body === null) setAsked(true);
    else
      onSet({
        agents,
        done: (count) => `${countOf(count, 'agent has', 'agents have')} the budget`,
        send: ({ id }) => saveBudget({ kind: 'agent', id }, body),
      });
  };
  return (
    <FormDialog
      onClose={onClose}
      title={`A budget for ${countOf(agents.length, 'agent')}`}
      onSubmit={submit}
      verb="Set the budget"
    >
      <p className="soft">
        Each of them gets it for itself. A field that is left empty has no limit.{' '}
        {replaced === agents.length
          ? 'It replaces the budget that each of them has.'
          : replaced > 0 && `It replaces the budget of ${replaced} of them.`}
      </p>
      <BudgetInputs
        fields={fields}
        onFields={setFields}
        errorAt={(measure) =>
          asked && body === null && measure === 'tokens' ? 'Give at least one limit.' : undefined
        }
      />
    </FormDialog>
  );
}
