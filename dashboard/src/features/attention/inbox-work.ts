import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { api, bodyOf } from '../../api/client';
import { keys } from '../../api/keys';
import { allCauses } from '../../api/lists';
import { asProblem } from '../../api/problem';
import type { AttentionAction, AttentionItem } from '../../api/types';
import { countOf } from '../../parts/count';
import { announce, announceRefusal } from '../../parts/toasts';
import { send } from '../../shared/gates/answers';
import { type InboxRow, sayTime } from './inbox';

/** A call about one cause. The reason becomes a comment on the issue, which its agent reads at its next turn. */
export interface Step {
  item: AttentionItem;
  call: AttentionAction;
  reason?: string;
}

/** What the service refused, and why. */
export interface Refusal {
  item: AttentionItem;
  why: string;
}

/** Requests at once: a person who clears a hundred causes should not use up the limit per minute in one second. */
const AT_ONCE = 4;

async function take({ item, call, reason }: Step): Promise<void> {
  if (reason !== undefined && item.issue)
    await api.POST('/api/projects/issues/{issueId}/comments', {
      params: { path: { issueId: item.issue.id } },
      body: { content: reason },
    });
  await send(call);
}

/** Takes steps, and says which of them were refused. What is done leaves the list at once, and not with the next answer. */
export function useInboxWork(readAt: number) {
  const client = useQueryClient();
  const [gone, setGone] = useState<ReadonlyMap<string, number>>(new Map());
  const [refused, setRefused] = useState<readonly Refusal[]>([]);
  const leave = (ids: readonly string[]) =>
    setGone((before) => new Map([...before, ...ids.map((id) => [id, Date.now()] as const)]));
  const refresh = () =>
    Promise.all(
      [keys.attention, keys.issues, keys.agents].map((queryKey) => client.invalidateQueries({ queryKey })),
    );
  const taking = useMutation({
    mutationFn: async ({ steps }: { steps: readonly Step[]; done: (count: number) => string }) => {
      const refusals: Refusal[] = [];
      for (let at = 0; at < steps.length; at += AT_ONCE) {
        const batch = steps.slice(at, at + AT_ONCE);
        const results = await Promise.allSettled(batch.map(take));
        results.forEach((result, index) => {
          if (result.status === 'rejected')
            refusals.push({ item: batch[index]!.item, why: asProblem(result.reason).detail });
        });
        const failed = new Set(refusals.map(({ item }) => item.id));
        leave(batch.map(({ item }) => item.id).filter((id) => !failed.has(id)));
      }
      return refusals;
    },
    onSuccess: (refusals, { steps, done }) => {
      if (steps.length > refusals.length) announce(done(steps.length - refusals.length));
      setRefused(refusals);
    },
    onSettled: refresh,
  });
  const snoozing = useMutation({
    mutationFn: ({ items, until }: { items: readonly AttentionItem[]; until: Date | null }) =>
      bodyOf(
        api.PUT('/api/attention/snoozes', {
          body: { items: items.map(({ id }) => id), until: until?.toISOString() ?? null },
        }),
      ),
    onSuccess: (outcome, { items, until }) => {
      const changed = outcome?.changed ?? [];
      leave(changed);
      const what = countOf(changed.length, 'cause');
      announce(until === null ? `${what} brought back` : `${what} snoozed until ${sayTime(until)}`);
      const unknown = new Set(outcome?.unknown ?? []);
      const why = 'It is over, or you no longer see it.';
      setRefused(items.filter(({ id }) => unknown.has(id)).map((item) => ({ item, why })));
    },
    onError: (error) => announceRefusal('Nothing was snoozed', error),
    onSettled: () => client.invalidateQueries({ queryKey: keys.attention }),
  });
  return {
    take: taking.mutate,
    snooze: snoozing.mutate,
    busy: taking.isPending || snoozing.isPending,
    refused,
    dismiss: () => setRefused([]),
    /** Whether it is done with. It comes back where the service lists it afterwards. */
    isGone: (id: string) => (gone.get(id) ?? 0) > readAt,
  };
}

/** The questions of a row, also those that are not loaded. */
export async function membersOf({ items, size }: InboxRow): Promise<readonly AttentionItem[]> {
  const group = items[0].group?.id;
  return items.length >= size || group === undefined ? items : allCauses({ group });
}
