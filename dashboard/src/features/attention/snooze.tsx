import { useRef, useState } from 'react';
import { Button } from '../../parts/button';
import { Chooser } from '../../parts/chooser';
import { matching, type Option } from '../../parts/chooser-list';
import { Dialog } from '../../parts/dialog';
import { TextField } from '../../parts/field';
import { sayTime } from './inbox';

const HOUR_MS = 3_600_000;
const EVENING = 18;
const MORNING = 9;
const MONDAY = 1;
const DAYS = 7;
/** The service takes no time beyond 90 days. */
const MOST_DAYS = 90;

/** A time at which snoozed causes come back. */
export interface SnoozeTime {
  id: string;
  label: string;
  until: Date;
}

function at(now: Date, days: number, hour: number): Date {
  return new Date(now.getFullYear(), now.getMonth(), now.getDate() + days, hour);
}

/** The usual times; the evening of a day that has no evening left is not one. */
export function snoozeTimes(now = new Date()): SnoozeTime[] {
  const evening = at(now, 0, EVENING);
  const toMonday = (MONDAY - now.getDay() + DAYS) % DAYS || DAYS;
  return [
    { id: 'hour', label: 'In 1 hour', until: new Date(now.getTime() + HOUR_MS) },
    ...(evening > now ? [{ id: 'evening', label: 'This evening', until: evening }] : []),
    { id: 'tomorrow', label: 'Tomorrow morning', until: at(now, 1, MORNING) },
    { id: 'monday', label: 'Next Monday', until: at(now, toMonday, MORNING) },
  ];
}

interface SnoozeChooserProps {
  /** What is snoozed: "Snooze PAY-12", "Snooze 5". */
  label: string;
  onClose: () => void;
  /** @param until null wakes what is snoozed */
  onSnooze: (until: Date | null) => void;
  /** Whether it may be woken. */
  asleep: boolean;
}

/** Asks until when: one of the usual times, or one of one's own. */
export function SnoozeChooser({ label, onClose, onSnooze, asleep }: SnoozeChooserProps) {
  const [own, setOwn] = useState(false);
  const [times] = useState(() => snoozeTimes());
  const goesOn = useRef(false);
  const options: Option[] = [
    ...(asleep ? [{ id: 'wake', label: 'Bring it back now', icon: 'inbox' } as const] : []),
    ...times.map(({ id, label: words, until }) => ({
      ...{ id, label: words, icon: 'clock' as const },
      end: <span className="soft small">{sayTime(until)}</span>,
    })),
    { id: 'own', label: 'Another time…', icon: 'settings' },
  ];
  const choose = ({ id }: Option) => {
    if (id !== 'own') return onSnooze(times.find((time) => time.id === id)?.until ?? null);
    goesOn.current = true;
    return setOwn(true);
  };
  if (own) return <OwnTime label={label} onClose={onClose} onSnooze={onSnooze} />;
  return (
    <Chooser
      open
      // It closes before it says what was chosen, and the dialog for another time may take its place.
      onClose={() => queueMicrotask(() => !goesOn.current && onClose())}
      label={label}
      placeholder="Snooze until"
      optionsFor={(query) => matching(options, query)}
      onChoose={choose}
      none="No time has these words"
    />
  );
}

/** The form of a field for a local time. */
const localText = (date: Date): string =>
  new Date(date.getTime() - date.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);

function OwnTime({ label, onClose, onSnooze }: Omit<SnoozeChooserProps, 'asleep'>) {
  const [now] = useState(() => new Date());
  const [text, setText] = useState(() => localText(at(now, 2, MORNING)));
  const until = new Date(text);
  const fits = until > new Date() && until < at(now, MOST_DAYS, 0);
  const send = () => {
    if (!fits) return;
    onSnooze(until);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={onClose}
      title={label}
      onSubmit={send}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button look="primary" type="submit" aria-disabled={!fits}>
            Snooze
          </Button>
        </>
      }
    >
      <TextField
        label="Until"
        type="datetime-local"
        autoFocus
        min={localText(now)}
        max={localText(at(now, MOST_DAYS, 0))}
        value={text}
        error={fits ? undefined : `Choose a time to come, within ${MOST_DAYS} days.`}
        onChange={({ target }) => setText(target.value)}
      />
    </Dialog>
  );
}
