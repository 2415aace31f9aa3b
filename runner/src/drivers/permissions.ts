import type {
  PermissionOption,
  RequestPermissionRequest,
  RequestPermissionResponse,
} from '@agentclientprotocol/sdk';

/** Returns the answer of the configuration, or of a person to the same question before, or null: a person is to be asked. */
export function permissionFor(
  { toolCall, options }: RequestPermissionRequest,
  policy: 'allow' | 'ask' | 'deny',
  answers: Record<string, string>,
): RequestPermissionResponse | null {
  const answered = options.find(({ name }) => name === answers[titleOf(toolCall)]);
  if (answered) return selected(answered);
  if (policy === 'ask') return null;
  const kinds = policy === 'allow' ? ['allow_once', 'allow_always'] : ['reject_once', 'reject_always'];
  const option = kinds
    .map((kind) => options.find((one) => one.kind === kind))
    .find((one) => one !== undefined);
  return option ? selected(option) : cancelled;
}

export const cancelled: RequestPermissionResponse = { outcome: { outcome: 'cancelled' } };

export const titleOf = ({ title, toolCallId }: { title?: string | null; toolCallId: string }) =>
  title ?? toolCallId;

const selected = ({ optionId }: PermissionOption): RequestPermissionResponse => ({
  outcome: { outcome: 'selected', optionId },
});
