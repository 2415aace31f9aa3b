import { useState } from 'react';
import { Segments } from '../../../parts/segments';
import { Switch } from '../../../parts/switch';
import {
  currentDensity,
  currentTheme,
  setDensity,
  setSingleKeys,
  setTheme,
  singleKeysOn,
} from '../../../theme/preferences';

/** Preferences of this browser; each takes effect at once. */
export function Appearance() {
  const [theme, changeTheme] = usePreference(currentTheme, setTheme);
  const [density, changeDensity] = usePreference(currentDensity, setDensity);
  const [keys, changeKeys] = usePreference(singleKeysOn, setSingleKeys);
  return (
    <div className="stack">
      <Segments
        label="Theme"
        value={theme}
        options={[
          ['system', 'As the system'],
          ['light', 'Light'],
          ['dark', 'Dark'],
        ]}
        onChange={changeTheme}
      />
      <Segments
        label="Density"
        value={density}
        options={[
          ['comfortable', 'Comfortable'],
          ['compact', 'Compact'],
        ]}
        onChange={changeDensity}
      />
      <Switch
        label="Single-key shortcuts"
        hint="Keys without Ctrl, such as c for a new issue. Press ? to see all of them."
        checked={keys}
        onChange={changeKeys}
      />
    </div>
  );
}

/** A preference as state: read once, kept in the browser when it changes. */
function usePreference<Value>(
  read: () => Value,
  keep: (value: Value) => void,
): [Value, (value: Value) => void] {
  const [value, setValue] = useState(read);
  return [
    value,
    (next) => {
      keep(next);
      setValue(next);
    },
  ];
}
