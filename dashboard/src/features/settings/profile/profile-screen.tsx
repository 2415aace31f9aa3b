import { Button } from '../../../parts/button';
import { Card, Fact, Facts } from '../../../parts/card';
import { useEndSession } from '../../../session/end-session';
import { useMe } from '../../../session/me';
import { Appearance } from './appearance';
import { ChangePassword } from './change-password';
import styles from './profile-screen.module.css';

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
