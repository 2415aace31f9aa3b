import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client';
import { fieldErrors } from '../../../api/problem';
import { Button } from '../../../parts/button';
import { Card, Fact, Facts } from '../../../parts/card';
import { Segments, Switch, TextField } from '../../../parts/field';
import { ProblemNotice } from '../../../parts/notice';
import { announce } from '../../../parts/toasts';
import { useEndSession, useMe } from '../../../session/me';
import {
  currentDensity,
  currentTheme,
  setDensity,
  setSingleKeys,
  setTheme,
  singleKeysOn,
} from '../../../theme/preferences';
import styles from './profile-screen.module.css';

const empty = { currentPassword: '', newPassword: '' };

/** Changes the person's own password; the service then ends all of their sessions, so sign-in follows. */
function ChangePassword({ email }: { email: string }) {
  const [fields, setFields] = useState(empty);
  const client = useQueryClient();
  const router = useRouter();
  const change = useMutation({
    mutationFn: () => api.POST('/api/auth/password', { body: fields }),
    onSuccess: async () => {
      announce('Your password is changed', 'Sign in with the new one.');
      await router.navigate({ to: '/login' });
      client.clear();
    },
  });
  const errors = fieldErrors(change.error, ['currentPassword', 'newPassword']);
  return (
    <form
      className="stack"
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        change.mutate();
      }}
    >
      <input type="email" name="email" autoComplete="username" value={email} readOnly hidden />
      <TextField
        label="Current password"
        type="password"
        autoComplete="current-password"
        value={fields.currentPassword}
        error={errors.at('currentPassword')}
        onChange={(event) => setFields({ ...fields, currentPassword: event.target.value })}
      />
      <TextField
        label="New password"
        hint="At least 12 characters. All your sessions end, this one too; keys stay."
        type="password"
        autoComplete="new-password"
        value={fields.newPassword}
        error={errors.at('newPassword')}
        onChange={(event) => setFields({ ...fields, newPassword: event.target.value })}
      />
      {errors.elsewhere && <ProblemNotice title="Your password was not changed" error={change.error} />}
      <div>
        <Button type="submit" busy={change.isPending}>
          Change password
        </Button>
      </div>
    </form>
  );
}

/** Preferences of this browser; each takes effect at once. */
function Appearance() {
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

/** Who one is here, how the dashboard looks in this browser, and the password. */
export function ProfileScreen() {
  const me = useMe();
  const endSession = useEndSession();
  return (
    <div className={styles.columns}>
      <Card
        title="You"
        actions={
          <Button small busy={endSession.isPending} onClick={() => endSession.mutate()}>
            Sign out
          </Button>
        }
      >
        <Facts>
          <Fact name="Name">{me.name}</Fact>
          <Fact name="E-mail">{me.email}</Fact>
          <Fact name="Role">{me.role}</Fact>
        </Facts>
      </Card>
      <Card title="This browser">
        <Appearance />
      </Card>
      {me.signedInWith !== 'oidc' && (
        <Card title="Password">
          <ChangePassword email={me.email ?? ''} />
        </Card>
      )}
    </div>
  );
}
