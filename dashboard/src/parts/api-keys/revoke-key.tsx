import { useMutation } from '@tanstack/react-query';
import type { ApiKey } from '../../api/types';
import { Confirm } from '../confirm';
import { announce } from '../toasts';
import type { KeyChanges } from './key-changes';

interface RevokeKeyProps extends Pick<KeyChanges, 'revoke' | 'consequence'> {
  apiKey: ApiKey;
  onClose: () => void;
}

export function RevokeKey({ apiKey, revoke, consequence, onClose }: RevokeKeyProps) {
  const ending = useMutation({
    mutationFn: () => revoke(apiKey),
    onSuccess: () => {
      announce(`Key “${apiKey.name}” is revoked`);
      onClose();
    },
  });
  return (
    <Confirm
      open
      onClose={onClose}
      title={`Revoke the key “${apiKey.name}”?`}
      verb="Revoke key"
      onConfirm={() => ending.mutate()}
      busy={ending.isPending}
      error={ending.error}
    >
      <p>Everything that uses it is refused at once. {consequence} This cannot be undone.</p>
    </Confirm>
  );
}
