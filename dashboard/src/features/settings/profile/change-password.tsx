import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '../../../api/client';
import { fieldErrors } from '../../../api/field-errors';
import { Button } from '../../../parts/button';
import { TextField } from '../../../parts/field';
import { ProblemNotice } from '../../../parts/notice';
import { announce } from '../../../parts/toasts';

const empty = { currentPassword: '', newPassword: '' };

/** Changes the person's own password; the service then ends all of their sessions, so sign-in follows. */
export function ChangePassword({ email }: { email: string }) {
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
