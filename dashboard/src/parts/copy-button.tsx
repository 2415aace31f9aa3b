import { IconButton } from './button';
import { useCopy } from './copy';

/** Copies a text and says so for two seconds. */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const { copied, copy } = useCopy();
  return (
    <IconButton
      icon={copied ? 'check' : 'copy'}
      label={copied ? 'Copied' : label}
      small
      onClick={() => copy(text)}
    />
  );
}
