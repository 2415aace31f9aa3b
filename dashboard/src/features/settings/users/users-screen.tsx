import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { usersQuery } from '../../../api/lists';
import { useActions } from '../../../keyboard/use-actions';
import { Button } from '../../../parts/button';
import { Card } from '../../../parts/card';
import { ProblemNotice } from '../../../parts/notice';
import { Skeleton } from '../../../parts/skeleton';
import { Table } from '../../../parts/table';
import { CreateUser } from './create-user';
import { UserRow } from './user-row';

/** All people, with their roles; Admins only. */
export function UsersScreen() {
  const users = useQuery(usersQuery);
  const [creating, setCreating] = useState(false);
  const create = () => setCreating(true);
  useActions([{ id: 'create-user', name: 'New user', icon: 'user', group: 'Create', perform: create }]);
  if (users.isPending) return <Skeleton rows={4} label="Loading users" />;
  if (users.isLoadingError)
    return (
      <ProblemNotice
        title="The users cannot be shown"
        error={users.error}
        onRetry={() => void users.refetch()}
      />
    );
  return (
    <>
      <Card
        title="Users"
        count={users.data.length}
        actions={
          <Button small icon="plus" onClick={create}>
            New user
          </Button>
        }
        flush
      >
        <Table label="Users" columns={['Name', 'E-mail', 'Role', 'Since', '']}>
          {users.data.map((user) => (
            <UserRow key={user.id} user={user} />
          ))}
        </Table>
      </Card>
      {creating && <CreateUser onClose={() => setCreating(false)} />}
    </>
  );
}
