import { useState } from 'react';
import type { ServerTool } from '../../../api/types';
import { Button } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { announce } from '../../../parts/toasts';
import { useApprove } from '../changes';
import { ToolRow } from './tool-row';

/** Tools that agents do not have until a person approves them: all of them, or those that are chosen. */
export function ApprovalCard({ id, tools }: { id: string; tools: readonly ServerTool[] }) {
  const approve = useApprove(id);
  const [refused, setRefused] = useState<ReadonlySet<string>>(new Set());
  const chosen = tools.map(({ name }) => name).filter((name) => !refused.has(name));
  const choose = (name: string, on: boolean) => {
    const next = new Set(refused);
    if (on) next.delete(name);
    else next.add(name);
    setRefused(next);
  };
  const save = () =>
    approve.mutate(chosen, {
      onSuccess: () =>
        announce(chosen.length === 1 ? `${chosen[0]} is approved` : `${chosen.length} tools are approved`),
    });
  return (
    <Card
      title={
        tools.length === 1 ? '1 tool waits for your approval' : `${tools.length} tools wait for your approval`
      }
      flush
      footer={
        <>
          <Button
            look="primary"
            busy={approve.isPending}
            aria-disabled={chosen.length === 0}
            onClick={chosen.length > 0 ? save : undefined}
          >
            {verb(chosen.length, tools.length)}
          </Button>
          <span className="soft small">
            Read what agents will read. Until it is approved, no agent has a tool of this list.
          </span>
        </>
      }
    >
      <ul>
        {tools.map((tool) => (
          <ToolRow
            key={tool.name}
            tool={tool}
            open
            choice={{ chosen: !refused.has(tool.name), onChoose: (on) => choose(tool.name, on) }}
          />
        ))}
      </ul>
    </Card>
  );
}

function verb(chosen: number, all: number): string {
  if (chosen === 0) return 'Choose a tool to approve';
  if (all === 1) return 'Approve it';
  return chosen === all ? `Approve all ${all}` : `Approve ${chosen} of ${all}`;
}
